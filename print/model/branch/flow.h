/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each instruction of an object ran, by its branch stacks: what stands
 * between two branches ran as often as both were seen in a row. Only functions in which
 * some such code is. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_FLOW_H
#define ERTOOLS_PRINT_MODEL_BRANCH_FLOW_H

#include "print/model/branch/branches.h"

struct flow_insn {
    u64 addr;
    u64 count; /* times that it ran */
    u64 on;    /* of these, those in which the one behind it ran next */
    bool jumps; /* it is a conditional branch */
    bool leads; /* jumps go there */
};

/* By address; *out is for free(). 0, -ENOMEM, or -ENOTSUP: not its instructions. */
int flow_get(struct session *session, const struct branch_data *data, u32 object,
             struct flow_insn **out, u32 *count);

#endif
