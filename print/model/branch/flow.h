/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each instruction of an object ran, by its branch stacks: code ran as often
 * as the two branches around it were seen one right after the other. Only functions
 * with such code are listed. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_FLOW_H
#define ERTOOLS_PRINT_MODEL_BRANCH_FLOW_H

#include "print/model/branch/branches.h"

struct flow_insn {
    u64 addr;
    u64 count; /* times that it ran */
    u64 on;    /* of `count`: the next instruction in memory ran next */
    bool jumps; /* it is a conditional branch */
    bool leads; /* it is the target of jumps */
};

/*
 * *out is sorted by address, and for free(). 0; -ENOMEM; -ENOTSUP: the object's
 * instructions cannot be decoded.
 */
int flow_get(struct session *session, const struct branch_data *data, u32 object,
             struct flow_insn **out, u32 *count);

#endif
