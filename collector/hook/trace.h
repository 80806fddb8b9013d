/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a hook of a tracing family records an event:
 *
 *   if (!trace_enter(&s)) return;               is there anything to record?
 *   node = trace_walk(&s, start);
 *   trace = &s.t->trace[TRACE_...];
 *   w = trace_open(&s, trace, FILE_..., ticks);
 *   if (w) trace_close(&s, trace, w, rec_put_...(&w->codec, trace_at(w), &record));
 *   trace_leave(&s);
 *
 * Normal context of any thread, also before the collector has started, and of the
 * target's signal handlers. Nothing here changes errno.
 */
#ifndef ERTOOLS_COLLECTOR_HOOK_TRACE_H
#define ERTOOLS_COLLECTOR_HOOK_TRACE_H

#include <link.h>

#include "collector/preload/services.h"
#include "collector/preload/trace_slow.h"
#include "share/record.h"
#include "share/types.h"

/*
 * From libcollector.so; NULL before the first look-up, and if there is no such library.
 */
extern const struct services *trace_services;

/*
 * Look for libcollector.so. module: the address of some function of the calling
 * library. started: called when recording begins, or at once if it has begun; may be
 * NULL.
 */
void trace_start(const void *module, void (*started)(void));

/*
 * Find out where an object lies in memory: [*lo, *hi). For callbacks of
 * dl_iterate_phdr().
 */
void trace_extent(const struct dl_phdr_info *info, u64 *lo, u64 *hi);

/*
 * Is the gate open (sig/gate.h)? If not, nothing is recorded. If it is, recording may
 * still be paused or over: trace_enter() finds that out.
 */
static inline int
trace_is_on(void)
{
    const struct services *v = __atomic_load_n(&trace_services, __ATOMIC_RELAXED);

    return v && __atomic_load_n(*v->gate, __ATOMIC_RELAXED);
}

/* The calling thread's struct thread, or NULL. Call only if trace_is_on(). */
static inline struct thread *
trace_thread(void)
{
    const char *tp = __builtin_thread_pointer();

    if (ER_UNLIKELY(!tp)) /* see thread_has_words() */
        return NULL;
    return *(struct thread *const *)(const void *)(tp + trace_services->self);
}

/*
 * Fill in *start for a walk from the hook's caller. It must be used in the hook itself,
 * since regs_capture() reads that frame's registers.
 */
#define TRACE_CAPTURE(start)                                              \
    do {                                                                  \
        regs_capture(&(start)->here);                                     \
        walk_start_caller((start), (const u64 *)__builtin_frame_address(0)); \
    } while (0)

/*
 * Read the clock before the real call: for the end of a block, which the call frees, or
 * for the beginning of a wait.
 */
static inline u64
trace_before(void)
{
    const struct services *v = trace_services;

    return ER_LIKELY(*v->by_tsc) ? __builtin_ia32_rdtsc() : v->ticks();
}

/*
 * Read the clock after the real call: for the beginning of a block, which the call has
 * allocated, or for the end of a wait. The fence waits for that call's loads, as RDTSCP
 * would, but takes less time. Without it, an address that another thread has freed may
 * seem to be allocated again before it was freed.
 */
static inline u64
trace_after(void)
{
    const struct services *v = trace_services;

    if (ER_UNLIKELY(!*v->by_tsc))
        return v->ticks();
    __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
}

/*
 * Ticks between two readings of the clock. The later reading may be the lower number,
 * since the TSC restarts when the machine was suspended in between.
 */
static inline u64
trace_between(u64 since, u64 now)
{
    return ER_LIKELY(now > since) ? now - since : 0;
}

struct trace_scope {
    struct thread *t;
    u64 mask;        /* if stray: the mask to restore, from stray_enter() */
    u64 nested_mask; /* if trace_busy() was called: the signal mask to restore */
    u32 stray;       /* 1 = t is the struct for threads that are not recorded */
    u32 paused; /* not 0: record only what ends, such as frees of blocks */
};

/*
 * 1: record an event, unless s->paused, and call trace_leave() afterwards. 0: record
 * nothing, since recording is over, or there is no struct for this thread. Call only if
 * trace_is_on().
 */
static inline int
trace_enter(struct trace_scope *s)
{
    const struct services *v = trace_services;
    u32 flags = __atomic_load_n(&(*v->ctl)->flags, __ATOMIC_RELAXED);

    if (ER_UNLIKELY(flags & CTL_OVER))
        return 0;
    s->paused = flags & CTL_PAUSED;
    s->stray = 0;
    s->t = trace_thread();
    if (ER_LIKELY(s->t)) {
        s->paused |= s->t->alone;
        return 1;
    }
    s->stray = 1;
    s->t = v->stray_enter(&s->mask);
    return s->t != NULL;
}

static inline void
trace_leave(struct trace_scope *s)
{
    if (ER_UNLIKELY(s->stray))
        trace_services->stray_leave(s->mask);
}

/* Walk the stack from *start. Returns the leaf's node, 0 = there is none. */
static inline u32
trace_walk(struct trace_scope *s, const struct walk_start *start)
{
    const struct services *v = trace_services;
    u32 node = ER_UNLIKELY(s->t->alt_instead) ? v->walk_apart(s->t, start)
                                              : v->walk(s->t->walk, start);

    if (ER_UNLIKELY(*v->node_wanted))
        node = node ? v->more_nodes(), node : v->walk_again(s->t, start);
    if (ER_UNLIKELY(*v->map_wanted))
        v->want_map();
    if (ER_UNLIKELY(*v->python_runtime) && node)
        node = v->python_add(s->t, node);
    return node;
}

/* A stack node for a single pc, without callers; 0 if pc is 0. */
static inline u32
trace_place(struct trace_scope *s, u64 pc)
{
    return pc ? trace_services->place(s->t->walk, pc) : 0;
}

/*
 * A writer with room for one record of `bytes` bytes. NULL = there is none: the event
 * is counted as dropped, or recording has ended, and trace_close() must not be called.
 */
static inline struct chunk_writer *
trace_open_for(struct trace_scope *s, struct trace *trace, enum er_file file, u64 ticks,
               u32 bytes)
{
    u64 frame = (u64)(uintptr_t)__builtin_frame_address(0);
    struct chunk_writer *w = &trace->main;

    if (ER_UNLIKELY(trace->busy))
        return trace_services->busy(s->t, trace, file, ticks, bytes, frame,
                                    &s->nested_mask);
    trace->busy = frame;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (ER_LIKELY(w->chunk && w->size - w->used >= bytes))
        return w;
    w = trace_services->room(s->t, trace, file, ticks, bytes);
    if (!w)
        trace->busy = 0;
    return w;
}

static inline struct chunk_writer *
trace_open(struct trace_scope *s, struct trace *trace, enum er_file file, u64 ticks)
{
    return trace_open_for(s, trace, file, ticks, TRACE_BYTES);
}

static inline unsigned char *
trace_at(const struct chunk_writer *w)
{
    return (unsigned char *)w->chunk + w->used;
}

/*
 * Was the record lost while it was written? If the file had no room for a store, its
 * page was replaced by empty memory (sig/bus). In a child that a handler forked, the
 * page is empty as well, but the child has counted the event already (trace_renew()).
 */
static inline int
trace_is_lost(const struct chunk_writer *w)
{
    return ER_UNLIKELY(!w->chunk->magic) &&
           __atomic_load_n(&(*trace_services->ctl)->flags, __ATOMIC_RELAXED) & CTL_CUT;
}

/*
 * Commit the record that ends at `end`, and count `events` events: as recorded, or as
 * dropped if the record was lost.
 */
static inline void
trace_close_as(struct trace_scope *s, struct trace *trace, struct chunk_writer *w,
               const unsigned char *end, u64 events)
{
    if (ER_UNLIKELY(w != &trace->main)) {
        writer_commit(w, end);
        if (trace_is_lost(w))
            trace->dropped += events;
        else
            trace->in_nested += events;
        trace_services->done(s->nested_mask);
        return;
    }
    /*
     * The order matters: if a signal handler jumps away from here, the thread's next
     * hook counts this record by `owed`, but only if it is committed (close_main()).
     */
    trace->owed_used = (u32)(end - (const unsigned char *)w->chunk);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    trace->owed = trace->in_main + events;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    writer_commit(w, end);
    if (trace_is_lost(w)) {
        trace->owed = trace->in_main;
        trace_count(&trace->dropped, events);
    } else {
        trace_count(&trace->in_main, events);
    }
    trace->busy = 0;
}

static inline void
trace_close(struct trace_scope *s, struct trace *trace, struct chunk_writer *w,
            const unsigned char *end)
{
    trace_close_as(s, trace, w, end, 1);
}

#endif
