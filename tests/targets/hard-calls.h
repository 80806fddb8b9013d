/* SPDX-License-Identifier: Apache-2.0 */
/* What the library of hard-calls.cc has. */
#ifndef TARGETS_HARD_CALLS_H
#define TARGETS_HARD_CALLS_H

#include <setjmp.h>
#include <sys/types.h>

extern "C" {

extern int variable;
long outer(long (*)(long), long);
long inner(long (*)(long), long);
int chosen(int);
int named(int);
int alias(int);
long many(long, long, long, long, long, long, long, long, long, long, long, long,
          long, long, long, long, long, long, long, long, long, long, long, long,
          long, long, long, long, long, long, long, long, long);
long sum(int, ...);
pid_t split(void);
int waits(void);
int counted(int);
int bound(int);
}

#endif
