/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of calls by function, or by the value of an argument. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_CALL_CALLSUM_H
#define ERTOOLS_PRINT_MODEL_CALL_CALLSUM_H

#include "print/model/lookup/calls.h"

struct call_sum {
    u32 name;  /* index in calls.name */
    char *key; /* the argument's value as text; NULL = sum by function */
    u64 count;  /* calls */
    u64 failed; /* calls whose result is an error */
    u64 left;   /* calls that did not return */
    u64 time;   /* ns, as are the following */
    u64 self;   /* without calls of named functions within them */
    u64 longest;
    u64 p99; /* 99 of 100 calls took at most this long */
};

struct call_sums {
    struct call_sum *sum; /* most time first */
    u32 count;
    u32 room;
};

/*
 * Sum by function; or, if `word` is given, by the value of the argument of that name
 * (see callvalue_find()), over the functions that have it. 0 and *out for
 * callsum_free(); -ENOENT: no function has the argument, and it is not "text", which
 * may be in none; -ENOMEM.
 */
int callsum_build(const struct calls *calls, const char *word, struct call_sums *out);
void callsum_free(struct call_sums *sums);

#endif
