/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of heap events, from what the hooks have seen. Contexts as in trace.h.
 *
 * A function may call another one that is hooked, too: operator new calls malloc, a
 * foreign calloc calls malloc, delete calls free. Then the inner hook records. The
 * outer hook notices that: since it began (heap_mark()), the thread has recorded the
 * same block. So no flag is needed, which would stay set when longjmp() or an exception
 * leaves a hook.
 */
#ifndef ERTOOLS_COLLECTOR_HEAP_HEAP_RECORD_H
#define ERTOOLS_COLLECTOR_HEAP_HEAP_RECORD_H

#include "collector/hook/trace.h"

/* The state of a thread before it calls a real function. */
struct heap_mark {
    u64 ticks; /* 0 = nothing is recorded; 1 = from heap_mark_begin(), without a time */
    u64 seen;  /* number of the thread's heap events so far */
};

struct heap_mark heap_mark_now(void);

/* Like heap_mark_now(), without the time, which is not needed for allocations. */
static inline struct heap_mark
heap_mark_begin(void)
{
    const struct thread *t = ER_LIKELY(trace_is_on()) ? trace_thread() : NULL;

    return (struct heap_mark){ 1, t ? trace_seen(&t->trace[TRACE_heap]) : 0 };
}

/*
 * Record that a block was allocated; p is NULL if that failed. heap_begun_since() does
 * nothing if a hook inside the real function has recorded the block since the mark (see
 * the top of this file).
 */
void heap_begun(const struct walk_start *start, const void *p, size_t size);
void heap_begun_since(const struct walk_start *start, const void *p, size_t size,
                      const struct heap_mark *mark);

/*
 * Record that a block is about to be freed, or was freed after the mark;
 * heap_ended_since() does nothing if an inner hook has recorded that. p is not NULL.
 */
void heap_ends(const void *p);
void heap_ended_since(const void *p, const struct heap_mark *mark);

/* Record that realloc(old, size) returned p, also if p is NULL. */
void heap_changed(const struct walk_start *start, const void *old, const void *p,
                  size_t size, const struct heap_mark *mark);

/*
 * Record that a mapping was made, removed, or moved or resized. Sizes are in bytes;
 * kind: enum er_map_kind.
 */
void heap_mapped(const struct walk_start *start, const void *p, size_t size, u32 kind);
void heap_unmapped(const void *p, size_t size, u32 kind, const struct heap_mark *mark);
void heap_remapped(const struct walk_start *start, const void *old, size_t old_size,
                   const void *p, size_t size, const struct heap_mark *mark);

static inline struct heap_mark
heap_mark(void)
{
    struct heap_mark none = { 0, 0 };

    return ER_LIKELY(trace_is_on()) ? heap_mark_now() : none;
}

/*
 * If the gate is open, call one of the functions above from a hook, with the stack of
 * the hook's caller.
 */
#define HEAP_RECORD(function, ...)            \
    do {                                      \
        struct walk_start start_;             \
                                              \
        if (ER_LIKELY(trace_is_on())) {       \
            TRACE_CAPTURE(&start_);           \
            function(&start_, __VA_ARGS__);   \
        }                                     \
    } while (0)

#endif
