/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for work of ours that needs more stack than the target may have left: it may
 * call us in a handler on an alternate stack of 4 KiB, in a coroutine, or in a thread
 * with the smallest stack. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_STACK_H
#define ERTOOLS_COLLECTOR_PRELOAD_STACK_H

#include <stddef.h>

#include "collector/sig/thread.h"

/*
 * Call function(arg). Where the caller's stack is not known to have 64 KiB left, this
 * runs on a stack of ours, with all signals but SIGBUS blocked. The function must
 * return, and must not change the signal mask for longer than it runs.
 */
void stack_run(void (*function)(void *), void *arg);

/*
 * Memory that is used as if it stood on the caller's stack: NULL where that has enough
 * room, and alloca() serves. It stays valid until this thread calls again.
 */
void *stack_spare(size_t bytes);

/* So many bytes until the calling function returns, on its stack or as spare memory. */
#define STACK_ROOM(bytes)                                   \
    __extension__({                                         \
        size_t stack_bytes_ = (bytes);                      \
        void *stack_room_ = stack_spare(stack_bytes_);      \
                                                            \
        if (!stack_room_)                                   \
            stack_room_ = __builtin_alloca(stack_bytes_);   \
        stack_room_;                                        \
    })

/* t ends: give its memory back. No longer on it. */
void stack_free(struct thread *t);

#endif
