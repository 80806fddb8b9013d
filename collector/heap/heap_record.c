/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/heap/heap_record.h"

/*
 * 1 = some block or mapping was recorded. From then on, ends of blocks are recorded
 * even while recording is paused.
 */
static u32 any_block;

/* Set any_block. It is written only once, since threads share its cache line. */
static inline void
set_any_block(void)
{
    if (ER_UNLIKELY(!__atomic_load_n(&any_block, __ATOMIC_RELAXED)))
        __atomic_store_n(&any_block, 1, __ATOMIC_RELAXED);
}

static u64
address(const void *p)
{
    return (u64)(uintptr_t)p;
}

static u64
shifted(u64 ticks)
{
    return ticks >> SHIFT_heaptrace;
}

static inline struct trace *
own(struct thread *t)
{
    return &t->trace[TRACE_heap];
}

struct heap_mark
heap_mark_now(void)
{
    struct thread *t = trace_thread();

    return (struct heap_mark){ trace_before(), t ? trace_seen(own(t)) : 0 };
}

/* Has a hook inside the real function recorded this block already? */
static int
is_done(struct thread *t, u64 last, const void *p, const struct heap_mark *mark)
{
    return mark && trace_seen(own(t)) != mark->seen && last == address(p);
}

static inline __attribute__((always_inline)) struct chunk_writer *
open_at(struct trace_scope *s, u64 ticks)
{
    return trace_open(s, own(s->t), FILE_heaptrace, ticks);
}

/*
 * Copy the numbers of events into the thread's row of the file threads, so that they
 * are known even if the process is killed. A handler may fork in between; then the
 * child has a new row, but the parent's numbers in registers, so it copies again.
 */
static inline __attribute__((always_inline)) void
copy_counts(struct thread *t)
{
    struct trace *trace = own(t);
    u64 seen;

    do {
        seen = trace_seen(trace);
        if (ER_LIKELY(t->row != NULL)) {
            t->row->heap_seen = seen;
            t->row->heap_dropped = trace->dropped;
        }
        __asm__ volatile("" ::: "memory");
    } while (ER_UNLIKELY(seen != trace_seen(trace)));
}

static inline __attribute__((always_inline)) void
close_at(struct trace_scope *s, struct chunk_writer *w, const unsigned char *end)
{
    if (ER_LIKELY(w != NULL))
        trace_close(s, own(s->t), w, end);
    copy_counts(s->t);
}

static inline __attribute__((always_inline)) void
begun(const struct walk_start *start, const void *p, size_t size,
      const struct heap_mark *mark)
{
    u64 ticks = trace_after();
    struct rec_alloc r = { .time = shifted(ticks), .addr = address(p), .size = size };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!trace_enter(&s))
        return;
    if (ER_LIKELY(!s.paused && !is_done(s.t, own(s.t)->last_begin, p, mark))) {
        set_any_block();
        r.node = trace_walk(&s, start);
        w = open_at(&s, ticks);
        own(s.t)->last_begin = r.addr;
        close_at(&s, w, w ? rec_put_alloc(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
}

void
heap_begun(const struct walk_start *start, const void *p, size_t size)
{
    begun(start, p, size, NULL);
}

void
heap_begun_since(const struct walk_start *start, const void *p, size_t size,
                 const struct heap_mark *mark)
{
    begun(start, p, size, mark);
}

static void
ended(const void *p, u64 ticks, const struct heap_mark *mark)
{
    struct rec_free r = { .time = shifted(ticks), .addr = address(p) };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!trace_enter(&s))
        return;
    if (ER_LIKELY((!s.paused || any_block) &&
                  !is_done(s.t, own(s.t)->last_end, p, mark))) {
        w = open_at(&s, ticks);
        own(s.t)->last_end = r.addr;
        close_at(&s, w, w ? rec_put_free(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
}

void
heap_ends(const void *p)
{
    ended(p, trace_before(), NULL);
}

void
heap_ended_since(const void *p, const struct heap_mark *mark)
{
    if (mark->ticks && trace_is_on())
        ended(p, mark->ticks, mark);
}

static void
changed(const struct walk_start *start, const struct rec_realloc *what, u64 ticks)
{
    struct rec_realloc r = *what;
    struct trace_scope s;
    struct chunk_writer *w;

    if (!trace_enter(&s))
        return;
    r.node = trace_walk(&s, start);
    w = open_at(&s, ticks);
    own(s.t)->last_begin = r.addr;
    own(s.t)->last_end = r.old;
    close_at(&s, w, w ? rec_put_realloc(&w->codec, trace_at(w), &r) : NULL);
    trace_leave(&s);
}

void
heap_changed(const struct walk_start *start, const void *old, const void *p,
             size_t size, const struct heap_mark *mark)
{
    u64 ticks = trace_after();
    struct rec_realloc r = { .time = shifted(ticks), .old = address(old),
                             .addr = address(p), .size = size };
    struct thread *t = trace_thread();

    if (!mark->ticks || !old) {
        heap_begun_since(start, p, size, mark);
    } else if (!p) {
        /*
         * realloc() returned NULL: with size 0 it has freed the block, else it has
         * failed.
         */
        if (size)
            heap_begun_since(start, p, size, mark);
        else
            heap_ended_since(old, mark);
    } else if ((__atomic_load_n(&(*trace_services->ctl)->flags, __ATOMIC_RELAXED) |
                (t ? t->alone : 0)) & CTL_PAUSED) {
        heap_ended_since(old, mark);
    } else if (!t || !is_done(t, own(t)->last_begin, p, mark)) {
        r.took = trace_between(shifted(mark->ticks), r.time);
        changed(start, &r, ticks);
    }
}

void
heap_mapped(const struct walk_start *start, const void *p, size_t size, u32 kind)
{
    u64 ticks = trace_after();
    struct rec_map r = { .time = shifted(ticks), .addr = address(p), .size = size,
                         .kind = kind };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!trace_enter(&s))
        return;
    if (!s.paused) {
        set_any_block();
        r.node = trace_walk(&s, start);
        w = open_at(&s, ticks);
        close_at(&s, w, w ? rec_put_map(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
}

void
heap_unmapped(const void *p, size_t size, u32 kind, const struct heap_mark *mark)
{
    struct rec_unmap r = { .time = shifted(mark->ticks), .addr = address(p),
                           .size = size, .kind = kind };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!mark->ticks || !trace_is_on() || !trace_enter(&s))
        return;
    if (!s.paused || any_block) {
        w = open_at(&s, mark->ticks);
        close_at(&s, w, w ? rec_put_unmap(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
}

void
heap_remapped(const struct walk_start *start, const void *old, size_t old_size,
              const void *p, size_t size, const struct heap_mark *mark)
{
    u64 ticks = trace_after();
    struct rec_remap r = { .time = shifted(ticks), .old = address(old),
                           .old_size = old_size, .addr = address(p), .size = size };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!mark->ticks || !trace_enter(&s))
        return;
    r.took = trace_between(shifted(mark->ticks), r.time);
    if (!s.paused) {
        r.node = trace_walk(&s, start);
        w = open_at(&s, ticks);
        close_at(&s, w, w ? rec_put_remap(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
    if (s.paused && old_size)
        heap_unmapped(old, old_size, MAP_KIND_NONE, mark);
}
