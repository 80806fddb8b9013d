/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects whose functions are hidden (object_mode), and the processor's view,
 * without inlined calls. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_HIDE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_HIDE_H

#include "print/model/views/aggregate.h"

/*
 * Set walk->leaf, and give nodes in hidden objects other frames or none. Where one of
 * several inlined functions is kept: with `lines` the innermost, else the outermost. 0
 * or -ENOMEM.
 */
int hide_frames(struct session *session, bool lines, struct walk *walk);

#endif
