/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack for our code if the target's may be too small: the target may call us in a
 * handler on an alternate stack of 4 KiB, in a coroutine, or in a thread with a minimal
 * stack. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_STACK_H
#define ERTOOLS_COLLECTOR_PRELOAD_STACK_H

#include <stddef.h>

#include "collector/sig/thread.h"

/*
 * Call function(arg). Unless the caller's stack is known to have 64 KiB left, call it
 * on a stack of ours, with all signals but SIGBUS blocked; on the caller's stack
 * nonetheless if there is no memory, or system calls are restricted. It must return,
 * and must restore the signal mask if it changes it.
 */
void stack_run(void (*function)(void *), void *arg);

/*
 * Memory instead of alloca() for a caller with a small stack. NULL: use alloca(), since
 * the stack has enough room, or no memory can be provided. The memory is the thread's:
 * the next call in this thread returns the same, or replaces it.
 */
void *stack_spare(size_t bytes);

/*
 * Memory of this size until the calling function returns: on its stack, or spare
 * memory.
 */
#define STACK_ROOM(bytes)                                   \
    __extension__({                                         \
        size_t stack_bytes_ = (bytes);                      \
        void *stack_room_ = stack_spare(stack_bytes_);      \
                                                            \
        if (!stack_room_)                                   \
            stack_room_ = __builtin_alloca(stack_bytes_);   \
        stack_room_;                                        \
    })

/*
 * Free the memory of thread t, which ends. Not to be called on the stack that is freed.
 */
void stack_free(struct thread *t);

#endif
