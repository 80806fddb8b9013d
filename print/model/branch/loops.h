/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, as branch stacks show them: code that a jump backwards within its function
 * repeats. All jumps back to one address are one loop, as where it has a `continue`.
 * What ran at most once an entry is none.
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_LOOPS_H
#define ERTOOLS_PRINT_MODEL_BRANCH_LOOPS_H

#include "print/model/branch/branches.h"

struct branch_loop {
    u32 object;
    u32 function;
    u64 head;  /* where its jumps go */
    u64 latch; /* the last of these jumps */
    u64 back;  /* how often they were taken */
    u64 entries; /* ways in from elsewhere, calls' returns excepted */
    u64 rounds;  /* times that the head ran */
    u64 mispredicted; /* of `back` that are told, which are `told` */
    u64 told;
};

/* By rounds, most first. *out is for free(). 0 or -ENOMEM. */
int loops_get(struct session *session, const struct branch_data *data,
              struct branch_loop **out, u32 *count);

#endif
