/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's account of wall time (collect -p wall): what it does while it does not
 * run. Its own handlers and hooks update it, with all signals blocked. The launcher
 * writes what only the kernel knows (run delay, stops) into the thread's row. See
 * wall.c.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WALL_H
#define ERTOOLS_COLLECTOR_SIG_WALL_H

#include "share/types.h"

struct thread;

/* 1 = accounts are kept. */
extern u32 wall_is_on;

/*
 * Call once, before the first thread begins. is_on: whether accounts are kept. Keeps a
 * pair of ticks and CLOCK_MONOTONIC, by which ticks are converted to ns.
 */
void wall_start(u32 is_on);

/*
 * Begin the account of a thread, or of one that continues in a forked child. delay: its
 * run delay up to now, in ns.
 */
void wall_begin(struct thread *t, u64 delay);

/* A clock hit has found the thread at node, with this stack pointer. */
void wall_hit(struct thread *t, u32 node, u64 sp);

/*
 * Call when a call has returned in which the thread waited for `ticks`. state: enum
 * er_mstate, of the wait. node: the stack of the call.
 */
void wall_waited(struct thread *t, u32 state, u64 ticks, u32 node);

/* The thread ends: record what is known and was not recorded yet. */
void wall_end(struct thread *t);

/*
 * The least duration in ticks for which a wait, or several short ones together, get a
 * record.
 */
u64 wall_threshold(void);

#endif
