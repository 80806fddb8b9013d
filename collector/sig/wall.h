/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's account of wall time (collect -p wall): what it does while it does not
 * run. Its own handlers and hooks update it, with all signals blocked. The launcher
 * writes what only the kernel knows (run delay, stops) into the thread's row. See
 * wall.c.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WALL_H
#define ERTOOLS_COLLECTOR_SIG_WALL_H

#include "share/record.h"
#include "share/types.h"

struct thread;

/* All times are in ns, but those of calls are in ticks. */
struct wall {
    u64 since;  /* ticks, when the call began that may wait; 0 = it is in none */
    u64 frame;  /* address of its hook's frame */
    u64 inside; /* ticks in such calls so far, each tick counted once */
    u64 brief[MSTATE_COUNT]; /* ticks of short waits, not yet recorded */
    u64 birth;     /* CLOCK_MONOTONIC when the account began */
    u64 cpu_birth; /* CPU time that the thread had then */
    u64 delay_birth; /* run delay that it had then */
    u64 told;       /* sum of all records */
    u64 delay_told; /* the part of it that was waiting for a processor */
    u64 stop_told;  /* the part that was stopped, plus stops before the birth */
    u64 open;   /* not recorded: time that the launcher's next report may explain */
    u64 lost;   /* not recorded: time that no report has explained */
    u64 looked; /* time of the launcher's last report that was used here */
    u64 majflt; /* page faults with I/O, as last read */
    u64 inside_hit; /* `inside` at the last hit */
    u64 switches;   /* voluntary context switches up to the last hit */
    u32 node;   /* node of the last hit; before that, of the first wait */
    u32 fault_due; /* 1 = there were page faults to which `open` may belong */
};

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
