/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges two stacks: a native one, and that of the interpreter that runs in it. After
 * each call of the interpreter's evaluation function come the interpreted frames that
 * the call evaluates. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_JOINS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_JOINS_H

#include "print/model/session.h"

/*
 * Set *node to the session's node of a row with NODE_MIXED, whose pc is the node id of
 * the interpreted stack. native: the session's node of its native stack. <omitted>
 * stands for interpreted frames that cannot be read. 0 or -ENOMEM.
 */
int joins_make(struct session *session, u32 experiment, const struct node_row *row,
               u32 native, u32 *node);

#endif
