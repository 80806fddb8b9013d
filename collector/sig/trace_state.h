/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's state in one family of tracing (share/traces.def). Written by the
 * thread's hooks in normal context, and by hooks that its signal handlers call.
 *
 * A hook writes to main between two settings of busy. One that finds busy set has
 * interrupted it, and writes to nested with all signals blocked; or the one that set it
 * is no more, because a handler jumped away: then main's chunk is closed and another
 * begun, since nobody knows how far its codec had got.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_TRACE_STATE_H
#define ERTOOLS_COLLECTOR_SIG_TRACE_STATE_H

#include "collector/sig/space.h"
#include "share/types.h"

struct trace {
    struct chunk_writer main;
    struct chunk_writer nested;
    u64 busy;    /* address of a frame of the hook that writes to main, 0 = none */
    u64 in_main; /* events recorded there */
    u64 owed;    /* what in_main will be when main has come to owed_used */
    u32 owed_used;
    u64 in_nested;
    u64 dropped; /* events not recorded for want of room */
    u64 last_begin; /* what the last events were about: see heap_record.c */
    u64 last_end;
    void *own; /* the family's own state of the thread, or NULL; then: */
    void (*ended)(void *own); /* called as the thread ends, all signals blocked */
};

/*
 * *count += events, in one instruction: a handler that forks makes the child count from
 * the beginning, and must not leave the parent's count in a register.
 */
static inline void
trace_count(u64 *count, u64 events)
{
    __asm__ volatile("addq %1, %0" : "+m"(*count) : "er"(events) : "memory");
}

/* Events so far. */
static inline u64
trace_seen(const struct trace *trace)
{
    return trace->in_main + trace->in_nested + trace->dropped;
}

#endif
