/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges two stacks: a native one, and that of the interpreter that runs in it. Each
 * call of the interpreter's evaluation function is followed by the interpreted frames
 * that it evaluates. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_JOINS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_JOINS_H

#include "print/model/symbols/stacks.h"

/*
 * Set *node to the session's node of a row with NODE_MIXED. native: the session's node
 * of the row's native stack. Frames that cannot be read are left out. 0 or -ENOMEM.
 */
int joins_make(struct session *session, u32 experiment, const struct node_row *row,
               u32 native, u32 *node);

#endif
