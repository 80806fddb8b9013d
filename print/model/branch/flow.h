/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each instruction of an object ran, by its branch stacks: the code between
 * two branches ran as often as the one was seen right after the other. Only of
 * functions that have such code. Ordinary process context.
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

/* By address; *out is for free(). 0, -ENOMEM, or -ENOTSUP: they cannot be decoded. */
int flow_get(struct session *session, const struct branch_data *data, u32 object,
             struct flow_insn **out, u32 *count);

#endif
