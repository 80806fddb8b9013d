/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's state in one family of tracing (share/traces.def). Written by the thread's
 * hooks in normal context, and by hooks that its signal handlers call.
 *
 * A hook sets busy, writes to main, and clears busy. If a hook that finds busy set has
 * interrupted another one, it writes to nested, with all signals blocked. If the hook
 * that set busy was left by a jump out of a handler, main's chunk is closed and a new
 * one begun, since the state of its codec is unknown.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_TRACE_STATE_H
#define ERTOOLS_COLLECTOR_SIG_TRACE_STATE_H

#include "collector/sig/space.h"
#include "share/types.h"

struct trace {
    struct chunk_writer main;
    struct chunk_writer nested;
    u64 busy;    /* address of a frame of the hook that writes to main, 0 = none */
    u64 in_main; /* events recorded in main */
    u64 owed;    /* value of in_main once main->used is owed_used */
    u32 owed_used;
    u64 in_nested; /* events recorded in nested */
    u64 dropped; /* events not recorded for lack of space */
    u64 last_begin; /* what the last events were about: see heap_record.c */
    u64 last_end;
    void *own; /* the family's own state of the thread, or NULL */
    void (*ended)(void *own); /* with own: called as t ends, signals blocked */
};

/*
 * *count += events, in one instruction: if a handler that interrupts us forks, the
 * child sets the count to 0, and must not get the parent's value back from a register.
 */
static inline void
trace_count(u64 *count, u64 events)
{
    __asm__ volatile("addq %1, %0" : "+m"(*count) : "er"(events) : "memory");
}

/* Events so far, recorded or not. */
static inline u64
trace_seen(const struct trace *trace)
{
    return trace->in_main + trace->in_nested + trace->dropped;
}

#endif
