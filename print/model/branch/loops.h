/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, as branch stacks show them: code that a jump backwards within its function
 * repeats. All jumps back to one address are one loop, as where it has a `continue`.
 * Code that ran at most once per entry is no loop.
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
    u64 entries; /* from elsewhere; returns of calls are none */
    u64 rounds;  /* times that the head ran */
    u64 mispredicted; /* of `told` */
    u64 told; /* of `back`: whether the jump was predicted is known */
};

/* *out is sorted by rounds, most first, and for free(). 0 or -ENOMEM. */
int loops_get(struct session *session, const struct branch_data *data,
              struct branch_loop **out, u32 *count);

#endif
