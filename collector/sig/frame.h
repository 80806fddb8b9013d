/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's handlers where they would run without our alternate stacks. A thread has
 * one of ours in the place of its own, when that is small; a handler that comes there
 * is moved, with the frame that the kernel laid for it. Handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_FRAME_H
#define ERTOOLS_COLLECTOR_SIG_FRAME_H

#include <signal.h>
#include <ucontext.h>

#include "collector/sig/thread.h"
#include "share/types.h"

typedef void frame_handler(int, siginfo_t *, void *);

/* Below top, down to floor, there is room for a frame. */
struct frame_place {
    u64 top; /* 0 = let it be where it is */
    u64 floor;
};

/*
 * now: what the kernel has as t's alternate stack. A change that was made in a handler
 * is undone when it returns, and nobody notices.
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
 * Lay a copy of the kernel's frame there and go on in function(), which returns where
 * the handler would have; closed: first to what makes the thread's view of our signal
 * what the context says. Does not return, unless there is no room.
 */
void frame_move(const struct frame_place *place, frame_function *function, long first,
                const siginfo_t *info, const ucontext_t *uc, int closed);

/* Run the target's handler at its place: this handler's last act. */
void frame_pass(struct thread *t, frame_handler *handler, int signo, siginfo_t *info,
                void *context);

/* Bit n - 1: the target wants our signal blocked in the handler of signal n. */
extern u64 frame_masked;

/* 1 = the target has blocked our signal, in a thread or for a handler. */
extern u32 frame_views;

/* What sig_frame() calls, by number. A function stays valid when another comes. */
extern void *frame_handlers[65];

/*
 * The kernel's handler of signals whose handlers run on an alternate stack, or are told
 * the mask that they interrupt: in that our signal is as the target sees it.
 */
void sig_frame(int signo, siginfo_t *info, void *context);

#endif
