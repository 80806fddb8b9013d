/* SPDX-License-Identifier: Apache-2.0 */
/* What stands at an address of data. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_VARIABLE_H
#define ERTOOLS_PRINT_MODEL_VARIABLE_H

#include "print/model/session.h"

struct variable {
    u32 object;
    char *name; /* the caller's to free; by the session's name style */
    u64 offset; /* of the address in it */
};

/*
 * The variable at an address of experiment `experiment`. 0, or -ENOENT when none is
 * known there, -ENOMEM.
 */
int variable_at(struct session *session, u32 experiment, u64 addr,
                struct variable *out);

#endif
