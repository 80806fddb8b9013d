/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, as branch stacks show them: code that a jump backwards within its function
 * repeats. All jumps back to one address are one loop, since a loop may have several,
 * as for `continue`. Code that ran at most once per entry is not a loop. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_LOOPS_H
#define ERTOOLS_PRINT_MODEL_BRANCH_LOOPS_H

#include "print/model/branch/branches.h"

struct branch_loop {
    u32 object;
    u32 function;
    u64 head;  /* address to which its jumps go back */
    u64 latch; /* address of the last of these jumps */
    u64 back;  /* how often they were taken, and the branch after them is known */
    u64 entries; /* from elsewhere; not returns from functions that it called */
    u64 rounds;  /* times that the head ran */
    u64 mispredicted; /* of `told` */
    u64 told; /* how often it is known of these jumps whether they were mispredicted */
};

/* Get the loops, sorted by rounds, most first; *out is for free(). 0 or -ENOMEM. */
int loops_get(struct session *session, const struct branch_data *data,
              struct branch_loop **out, u32 *count);

#endif
