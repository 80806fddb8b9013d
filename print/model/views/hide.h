/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hides frames: of load objects whose functions are hidden (object_mode), and of
 * inlined calls in the processor's view. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_HIDE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_HIDE_H

#include "print/model/session.h"
#include "print/model/views/stacktree.h"

/*
 * Set walk->leaf, and give nodes in hidden objects other frames or none. Where only one
 * of a node's frames is kept, it is the innermost if `lines` (views by source line),
 * else the outermost. 0 or -ENOMEM.
 */
int hide_frames(struct session *session, bool lines, struct stack_tree *walk);

#endif
