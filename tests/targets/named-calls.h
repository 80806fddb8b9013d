/* SPDX-License-Identifier: Apache-2.0 */
/* What the libraries of named-calls.cc have. */
#ifndef TARGETS_CALLS_H
#define TARGETS_CALLS_H

#include <setjmp.h>
#include <stddef.h>

extern "C" {

struct pair {
    double x;
    int n;
};

struct triple {
    long a, b, c;
};

int twice(int);
int own(int);
double mixed(int, double, const char *, float, long, long, long, long, short, char);
struct pair make_pair(int);
long sum_pair(struct pair, struct triple);
struct triple make_triple(long);
long double thirds(long double);
_Complex long double turn(_Complex long double);
int format(char *, size_t, const char *, ...);
int fails(int);
long back(long (*)(long), long);
long recurse(long);
long recurse_again(long);
int fill(int, int *, struct pair *);
void jump(jmp_buf, int);
void password(const char *, const char *);
size_t bytes(const char *, size_t);
int bad_text(const char *);

/* Of the library that is loaded late. */
int late(int);
}

#endif
