/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the target's handlers on the stack that they would have without us. If a
 * thread's own alternate stack is small, the kernel has ours instead. A handler of the
 * target that starts there is moved to the target's stack, together with the signal
 * frame that the kernel has built. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_FRAME_H
#define ERTOOLS_COLLECTOR_SIG_FRAME_H

#include <signal.h>
#include <ucontext.h>

#include "collector/sig/action.h"
#include "collector/sig/thread.h"
#include "share/types.h"

typedef void frame_handler(int, siginfo_t *, void *);

/* Stack space for a moved signal frame: below top, down to floor. */
struct frame_place {
    u64 top; /* 0 = do not move the frame */
    u64 floor;
};

/*
 * Record in t which alternate stack the kernel has for it now. If a handler changes it,
 * the return from the handler undoes the change, without a call that we could
 * intercept.
 */
void frame_set_stack(struct thread *t, const stack_t *now);

/*
 * Where the signal frame that holds uc would be without us. t may be NULL. alternate:
 * the target wants its handler on an alternate stack, if there is one. Returns top = 0
 * if the frame stays where it is.
 */
struct frame_place frame_place(struct thread *t, const ucontext_t *uc, int alternate);

/* The function that continues in a moved frame. first: as given to frame_move(). */
typedef void frame_function(long first, siginfo_t *info, void *context);

/*
 * Copy the kernel's signal frame to place, and jump to function() there: what follows
 * in our handler does not run. When function() returns, the thread continues where it
 * would have continued after our handler. closed: before that, record in the thread's
 * `blocked` whether the context's mask blocks our signal. Returns only if place has no
 * room.
 */
void frame_move(const struct frame_place *place, frame_function *function, long first,
                const siginfo_t *info, const ucontext_t *uc, int closed);

/*
 * Run the target's handler on the stack that it would have without us. Our own handler
 * calls this as its last action.
 */
void frame_pass(struct thread *t, frame_handler *handler, int signo, siginfo_t *info,
                void *context);

/* 1 = the target has blocked our signal at some time, in a thread or for a handler. */
extern u32 frame_views;

/*
 * The target's handlers that sig_frame() calls, by signal number: the last function
 * that the target has given. An entry stays when the target asks for SIG_DFL, as a
 * signal may be in delivery at that moment.
 */
extern void *frame_handlers[ACTION_SIGNALS + 1];

/*
 * Our handler for signals whose handlers in the target run on an alternate stack, or
 * can see the interrupted mask: there the bit of our signal must be as the target has
 * set it.
 */
void sig_frame(int signo, siginfo_t *info, void *context);

#endif
