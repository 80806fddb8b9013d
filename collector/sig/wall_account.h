/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's account of wall time: its state, a part of struct thread. See wall.h, and
 * wall.c for how the numbers relate. The thread's own handlers and hooks write it, with
 * all signals blocked.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WALL_ACCOUNT_H
#define ERTOOLS_COLLECTOR_SIG_WALL_ACCOUNT_H

#include "share/record.h"
#include "share/types.h"

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

#endif
