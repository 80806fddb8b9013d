/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each instruction of an object ran, by its branch stacks: code counts as
 * often as the branches before and after it were recorded one right after the other.
 * Only functions with such code are listed. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_FLOW_H
#define ERTOOLS_PRINT_MODEL_BRANCH_FLOW_H

#include "print/model/branch/branches.h"

struct flow_insn {
    u64 addr;
    u64 count; /* times that it ran */
    u64 on;    /* of `count`: the next instruction in memory ran after it */
    bool jumps; /* it is a conditional branch */
    bool leads; /* it begins a basic block: it is the target of a jump */
};

/*
 * Get the instructions of those functions, sorted by address; *out is for free(). 0;
 * -ENOTSUP: the object's instructions cannot be decoded; or -ENOMEM.
 */
int flow_get(struct session *session, const struct branch_data *data, u32 object,
             struct flow_insn **out, u32 *count);

#endif
