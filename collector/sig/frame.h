/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running the target's handlers on the stack that they would have without us. If a
 * thread's own alternate stack is small, the kernel has ours instead. A handler of the
 * target that starts there is moved to the target's stack, together with the signal
 * frame that the kernel has built. Handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_FRAME_H
#define ERTOOLS_COLLECTOR_SIG_FRAME_H

#include <signal.h>
#include <ucontext.h>

#include "collector/sig/action.h"
#include "collector/sig/thread.h"
#include "share/types.h"

typedef void frame_handler(int, siginfo_t *, void *);

/* Below top, down to floor, there is room for a frame. */
struct frame_place {
    u64 top; /* 0 = let it be where it is */
    u64 floor;
};

/*
 * Note the alternate stack of t that the kernel has now. The return from a handler
 * undoes a change that was made in it, without a call that we could see.
 */
void frame_note_stack(struct thread *t, const stack_t *now);

/*
 * Where the frame of uc would be without us. t may be NULL. alternate: the target wants
 * its handler on an alternate stack, if there is one.
 */
struct frame_place frame_place(struct thread *t, const ucontext_t *uc, int alternate);

/* In a frame at its new place: first is as it was given to frame_move(). */
typedef void frame_function(long first, siginfo_t *info, void *context);

/*
 * Copy the kernel's frame there and continue in function(), which returns to where the
 * handler would have returned. closed: it first runs code that sets the thread's view
 * of our signal by the context's mask. Returns only if there is no room.
 */
void frame_move(const struct frame_place *place, frame_function *function, long first,
                const siginfo_t *info, const ucontext_t *uc, int closed);

/* Run the target's handler on its stack; the last action of our handler. */
void frame_pass(struct thread *t, frame_handler *handler, int signo, siginfo_t *info,
                void *context);

/* 1 = the target has blocked our signal, in a thread or for a handler. */
extern u32 frame_views;

/*
 * The target's handlers that sig_frame() calls, by signal number: the last function
 * that the target has given. A delivery that is under way when the target asks for
 * SIG_DFL finds it still.
 */
extern void *frame_handlers[ACTION_SIGNALS + 1];

/*
 * Our handler for signals whose handlers in the target run on an alternate stack, or
 * get the interrupted mask: in that mask, our signal must be as the target sees it.
 */
void sig_frame(int signo, siginfo_t *info, void *context);

#endif
