/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this process is recorded now. For any context.
 *
 *   state             condition                  left by
 *   SHUT              the word is 0              gate_open(), in normal context
 *   VFORK_CHILD       another process id         its exec or its end
 *   LEAVING           gate_leave() was called    the end, gate_stay() or gate_shut()
 *   OVER              a flag of CTL_OVER         the end, gate_shut()
 *   PAUSED            the flag CTL_PAUSED        that flag, the end, gate_shut()
 *   RECORDING         none of these              all of the others
 *
 * A process is SHUT before a recording, after it (a filter that forbids too much, or
 * collect -P leaves), and as a forked child that is not recorded yet: the word lies in
 * a page that the kernel wipes in a forked child (MADV_WIPEONFORK), so a child is shut
 * from its first instruction. A vfork child shares the word. The flags are on the
 * control page, where the launcher sets some: share/ctl.h. A thread may be paused
 * alone: see thread.h.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_GATE_H
#define ERTOOLS_COLLECTOR_SIG_GATE_H

#include "share/types.h"

/* Ordered: from GATE_RECORDING to GATE_SHUT, less and less is done. */
enum gate_state {
    GATE_SHUT,        /* nothing is done: all calls work as without us */
    GATE_VFORK_CHILD, /* nothing is recorded of it: our memory is its parent's */
    GATE_LEAVING,     /* it is about to end or to exec: the accounts are closed */
    GATE_OVER,        /* no event is recorded any more, but accounts and log are */
    GATE_PAUSED,      /* no new events; but ends of begun ones, accounts and log */
    GATE_RECORDING,
};

/* Points to 0 until recording starts. */
extern u32 *gate_word;

/* 1 if this process is recorded, even if it is paused. Also 1 in a vfork child. */
static inline int
gate_is_open(void)
{
    return __atomic_load_n(gate_word, __ATOMIC_RELAXED) != 0;
}

/* The state that follows from the conditions above; flags are the control page's. */
enum gate_state gate_state_of(int open, int same_process, int leaving, u32 flags);

/* The state now. Asks the kernel for the process id. */
enum gate_state gate_state(void);

/* 1 in the process that records, and not in a vfork child of it. */
int gate_is_owner(void);

/* 1 in a vfork child: its signal actions are its own, our memory is its parent's. */
int gate_in_vfork_child(void);

/* 1 from gate_leave() to gate_stay() or gate_open(). A vfork child shares this. */
int gate_is_leaving(void);

/* From now on this process is recorded; pid: its id. 0 or -errno. Normal context. */
int gate_open(u32 pid);

/*
 * Call gate_leave() when the process is about to end or to exec, and gate_stay() if it
 * did not.
 */
void gate_leave(void);
void gate_stay(void);

/* Shut the gate: from now on no thread records anything. */
void gate_shut(void);

/*
 * Set if the target has restricted its system calls (preload/limit.h). gate_limited:
 * the collector only does what hits need; it does not begin or end threads, open files,
 * record descendants or report ends. gate_no_pid: getpid() may not be called.
 */
extern u32 gate_limited, gate_no_pid;

#endif
