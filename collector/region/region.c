/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/region/region.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/guard.h"
#include "collector/preload/thread.h"
#include "collector/preload/trace_slow.h"
#include "collector/sig/clock.h"
#include "collector/sig/sys.h"

enum {
    STACK_NS = 100000, /* ns for which a place's stack need not be walked again */
    LONG_TIMES = 8,    /* a region that took this many times the mean is long */
    NOT_RECORDING = CTL_PAUSED | CTL_ENDED | CTL_LIMIT,
};

static u64 stack_ticks, long_ticks; /* STACK_NS; the least time of a long region */

static void
thread_ended(void *own)
{
    struct region_thread *r = own;

    if (r->pid == space_pid) {
        region_usage(r);
        region_notice_open(r, 1);
    }
    /*
     * Keep the memory mapped if recording ended before the thread did: a call that was
     * interrupted may still use it.
     */
    if (gate_is_open())
        sys_unmap(r, sizeof(*r));
}

static struct region_thread *
make(struct thread *t)
{
    struct region_thread *r = sys_map(sizeof(*r));

    if (!r)
        return NULL;
    r->thread = t;
    t->region.ended = thread_ended;
    t->region.own = r;
    return r;
}

/* Is there a file for regions? Creates it if needed. All signals are blocked. */
static int
file_is_there(void)
{
    static u32 refused;

    if (space_files[FILE_regions].mapped)
        return 1;
    if (__atomic_load_n(&refused, __ATOMIC_RELAXED) == space_pid)
        return 0;
    if (trace_want_file(FILE_regions, CTL_REGIONS))
        return 1;
    __atomic_store_n(&refused, space_pid, __ATOMIC_RELAXED);
    return 0;
}

static void
start(void)
{
    u64 rate = clock_is_tsc ? clock_tsc_rate : 1000000000;

    stack_ticks = rate / (1000000000 / STACK_NS);
    long_ticks = stack_ticks / 5;
    thread_note_regions = region_notice_last;
    __atomic_store_n(&trace_services, services_own(), __ATOMIC_RELEASE);
}

__attribute__((noinline)) struct region_thread *
region_first(void)
{
    int saved = errno;
    u64 mask = guard_enter();
    struct thread *t = gate_is_open() ? thread_self : NULL;
    struct region_thread *r = NULL;

    if (t && file_is_there()) {
        start();
        r = t->region.own ? t->region.own : make(t);
    }
    if (r)
        region_itt_wanted();
    if (r && r->pid != space_pid) {
        r->pid = space_pid;
        region_paths_renew(r);
        region_usage(r);
    }
    guard_leave(mask);
    errno = saved;
    return r;
}

/*
 * Do work before the region begins, so that its time does not count. Returns the time
 * at the end of this work.
 */
static __attribute__((noinline)) u64
prepare(struct region_thread *r, struct region_path *p, struct region_name *name,
        const struct walk_start *from, u64 now)
{
    if (name->later)
        region_name(name, name->s);
    if (now - p->walked >= stack_ticks)
        region_path_walk(r, p, name, from);
    if (now >= r->usage_at)
        region_usage(r);
    return trace_before();
}

static inline u32
flags_now(void)
{
    return __atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED);
}

static inline struct region_path *
find_path(struct region_thread *r, struct region_name *name, u32 parent,
          const struct walk_start *from)
{
    struct region_path *p = NULL;

    if (name->later) {
        p = region_path_again(r, name->s, parent, from);
        if (ER_UNLIKELY(!p))
            region_name(name, name->s);
    }
    if (ER_UNLIKELY(!p)) {
        p = region_path(r, name, parent, from);
        r->at[region_place(from->pc)] = p;
    }
    return p;
}

void
region_begin(struct region_thread *r, struct region_name *name,
             const struct walk_start *from, u64 ticks)
{
    u32 at = r->depth, parent = 0;
    struct region_open *o = &r->open[at];
    struct region_path *p;
    u64 now;

    if (ER_UNLIKELY(at >= REGION_DEPTH)) {
        if (!r->over++)
            region_notice(r, NOTICE_TOO_DEEP, 0, NULL, 0, from);
        return;
    }
    if (at) {
        parent = o[-1].id;
        if (o[-1].sp < from->sp)
            o[-1].flags |= REGION_PASSED;
    }
    /*
     * Until all members are set, a signal handler that begins a region makes that a
     * child of this region's parent.
     */
    o->path = NULL;
    o->id = parent;
    o->flags = REGION_PAUSED;
    o->task = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    r->depth = at + 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    p = find_path(r, name, parent, from);
    if (ER_UNLIKELY(!p))
        return;
    now = ticks ? ticks : trace_before();
    if (ER_UNLIKELY(now - p->walked >= stack_ticks || now >= r->usage_at))
        now = prepare(r, p, name, from, now);
    p->users++;
    o->path = p;
    o->sp = from->sp;
    o->flags = (flags_now() | r->thread->alone) & NOT_RECORDING ? REGION_PAUSED : 0;
    o->ticks = ticks ? ticks : now;
    o->id = p->id;
}

/* Record a region that has ended. 0 = recording ended before: there is no record. */
static inline int
put_span(struct region_thread *r, u32 path, u64 ticks, u64 took)
{
    struct rec_span span = { .time = ticks >> SHIFT_regions, .took = took,
                             .path = path };
    struct trace *trace = &r->thread->region;
    struct trace_scope s;
    struct chunk_writer *w;

    if (ER_UNLIKELY(!trace_enter(&s)))
        return 0;
    w = trace_open(&s, trace, FILE_regions, ticks);
    if (ER_LIKELY(w != NULL))
        trace_close(&s, trace, w, rec_put_span(&w->codec, trace_at(w), &span));
    trace_leave(&s);
    return 1;
}

/*
 * Record that recording has ended while this region, and those around it, were open.
 * For that, the region is put back into its place for a moment.
 */
static __attribute__((noinline)) void
record_cut(struct region_thread *r, u32 at, const struct region_open *cut)
{
    r->open[at - 1] = *cut;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    r->depth = at;
    region_notice_last(r->thread);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    r->depth = at - 1;
}

static inline void
settle(struct region_thread *r, struct region_path *p, u64 ticks, u64 took)
{
    u64 mean = p->mean;

    p->mean = mean + took / 8 - mean / 8;
    if (ER_UNLIKELY(ticks >= r->usage_at ||
                    (took > mean * LONG_TIMES && took > long_ticks)))
        region_usage(r);
}

static __attribute__((noinline)) void
end_without(struct region_thread *r)
{
    if (r->over)
        r->over--;
    else
        region_notice(r, NOTICE_STRAY, 0, NULL, 0, NULL);
}

void
region_end(struct region_thread *r, u64 ticks, u64 sp)
{
    u32 at = r->depth, id, flags;
    struct region_open *o = &r->open[at - 1];
    struct region_path *p;
    u64 took;

    if (ER_UNLIKELY(!at || r->over)) {
        end_without(r);
        return;
    }
    /*
     * Read all members first: a signal handler may reuse the place of a region that has
     * ended.
     */
    p = o->path;
    id = o->id;
    flags = o->flags;
    took = trace_between(o->ticks, ticks);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    r->depth = at - 1;
    if (at > 1 && o[-1].sp < sp)
        o[-1].flags |= REGION_PASSED;
    if (ER_UNLIKELY(!p))
        return;
    p->users--;
    if (ER_UNLIKELY(flags & REGION_PAUSED))
        return;
    if (ER_UNLIKELY(!put_span(r, id, ticks, took))) {
        struct region_open cut = { ticks - took, sp, p, id, flags, 0 };

        record_cut(r, at, &cut);
        return;
    }
    settle(r, p, ticks, took);
}

void
region_jumped(u64 from, u64 to)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;
    struct region_thread *r = t ? t->region.own : NULL;

    if (!r || r->pid != space_pid || r->over)
        return;
    while (r->depth) {
        const struct region_open *o = &r->open[r->depth - 1];

        if (o->flags & REGION_PASSED || o->sp < from || o->sp >= to)
            break;
        region_end(r, trace_before(), o->sp);
    }
}
