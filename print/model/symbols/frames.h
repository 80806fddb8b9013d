/* SPDX-License-Identifier: Apache-2.0 */
/* Gets the frames of a stack, for views that show whole stacks. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FRAMES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FRAMES_H

#include "print/model/symbols/function.h"

struct stack_frame {
    u32 func;
    u32 object;
    u32 file; /* 0 = not known */
    u32 line; /* 0 = not known */
};

/*
 * Get the frames of a stack node, the leaf first, including inlined ones, but without
 * those of the kernel and of interpreters that the view hides. The caller frees
 * *frames. 0 or -ENOMEM.
 */
int frames_of(struct session *session, u32 node, struct stack_frame **frames,
              u32 *count);

#endif
