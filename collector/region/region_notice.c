/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that are written less often than spans: notices, resource usage, thread
 * names.
 */
#include <string.h>
#include <sys/resource.h>

#include "collector/sig/guard.h"
#include "collector/region/region.h"
#include "collector/sig/clock.h"
#include "collector/sig/sys.h"

enum {
    USAGE_HZ = 10000, /* resource usage is read at most so often a second */
};

static u64
rate(void)
{
    return clock_is_tsc ? clock_tsc_rate : 1000000000;
}

/*
 * 1 if the region is open, recording was not paused when it began, and no notice says
 * yet that it is open.
 */
static int
is_unnoted(const struct region_open *o)
{
    return o->path && !(o->flags & (REGION_PAUSED | REGION_NOTED));
}

static int
has_unnoted(const struct region_thread *r)
{
    for (u32 i = 0; i < r->depth; i++)
        if (is_unnoted(&r->open[i]))
            return 1;
    return 0;
}

/*
 * Like trace_enter(), for records about open regions. They are written even when
 * recording has ended, since regions that were open then end at that moment. The
 * thread's chunk may still have room for them.
 */
static int
enter_late(const struct region_thread *r, struct trace_scope *s)
{
    u32 flags = __atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED);

    if (flags & CTL_NO_SPACE)
        return 0;
    *s = (struct trace_scope){ .t = r->thread };
    return 1;
}

static void
put_usage(struct region_thread *r, const struct rec_usage *usage, u64 ticks)
{
    struct trace *trace = &r->thread->region;
    struct trace_scope s;
    struct chunk_writer *w;

    if (has_unnoted(r) ? !enter_late(r, &s) : !trace_enter(&s))
        return;
    w = trace_open(&s, trace, FILE_regions, ticks);
    if (w)
        trace_close_as(&s, trace, w, rec_put_usage(&w->codec, trace_at(w), usage), 0);
    trace_leave(&s);
}

void
region_usage(struct region_thread *r)
{
    struct rec_usage usage = { 0 };
    struct rusage used;
    u64 ticks = trace_before();

    r->usage_at = ticks + rate() / USAGE_HZ;
    if (gate_limited)
        return;
    /*
     * Read the CPU clock right after the wall clock: the thread may lose its processor
     * at the end of a system call.
     */
    usage.cpu = clock_read(CLOCK_THREAD_CPUTIME_ID);
    if (sys_call4(SYS_getrusage, RUSAGE_THREAD, (long)(uintptr_t)&used, 0, 0) < 0)
        return;
    usage.time = ticks >> SHIFT_regions;
    usage.minflt = (u64)used.ru_minflt;
    usage.majflt = (u64)used.ru_majflt;
    usage.nvcsw = (u64)used.ru_nvcsw;
    usage.nivcsw = (u64)used.ru_nivcsw;
    put_usage(r, &usage, ticks);
    region_notice_open(r, 0);
}

static void
put_notice(struct region_thread *r, const struct rec_notice *notice, u64 ticks)
{
    struct trace *trace = &r->thread->region;
    struct trace_scope s;
    struct chunk_writer *w;

    if (notice->what == NOTICE_OPEN ? !enter_late(r, &s) : !trace_enter(&s))
        return;
    w = trace_open_for(&s, trace, FILE_regions, ticks, TRACE_BYTES + notice->text.len);
    if (w)
        trace_close_as(&s, trace, w, rec_put_notice(&w->codec, trace_at(w), notice), 0);
    trace_leave(&s);
}

void
region_notice_open(struct region_thread *r, int all)
{
    u64 second = rate(), now = trace_before();

    for (u32 i = 0; i < r->depth; i++) {
        struct region_open *o = &r->open[i];
        struct rec_notice notice = { .time = now >> SHIFT_regions,
                                     .what = NOTICE_OPEN, .path = o->id };

        if (!is_unnoted(o))
            continue;
        notice.since = trace_between(o->ticks, now);
        if (!all && notice.since < second)
            break; /* the inner regions began later */
        o->flags |= REGION_NOTED;
        notice.text.s = "";
        put_notice(r, &notice, now);
    }
}

/*
 * Record notices of another thread's open regions while it runs. A region that changes
 * while it is read has ended, and is skipped.
 */
static void
notice_other(struct region_thread *own, const struct region_thread *other)
{
    u32 depth = __atomic_load_n(&other->depth, __ATOMIC_ACQUIRE);

    for (u32 i = 0; i < depth && i < REGION_DEPTH; i++) {
        const volatile struct region_open *o = &other->open[i];
        u64 began = o->ticks, now = trace_before();
        u32 id = o->id, skip = !o->path || o->flags & (REGION_PAUSED | REGION_NOTED);
        struct rec_notice notice = { .time = now >> SHIFT_regions,
                                     .what = NOTICE_OPEN, .path = id,
                                     .thread = other->thread->id };

        notice.since = trace_between(began, now);
        notice.text.s = "";
        if (skip || o->ticks != began || o->id != id)
            continue;
        if (__atomic_load_n(&other->depth, __ATOMIC_ACQUIRE) > i)
            put_notice(own, &notice, now);
    }
}

void
region_notice_last(struct thread *t)
{
    struct region_thread *own = region_thread();

    if (!own)
        return;
    if (t != own->thread) {
        notice_other(own, t->region.own);
        return;
    }
    region_usage(own);
    region_notice_open(own, 1);
}

void
region_notice_at(struct region_thread *r, u64 now, enum er_notice what, u64 value,
                 const char *text, size_t len, const struct walk_start *start)
{
    const struct region_open *o = r->depth ? &r->open[r->depth - 1] : NULL;
    struct trace_scope s = { .t = r->thread };
    struct rec_notice notice = { .time = now >> SHIFT_regions, .what = what,
                                 .value = value };

    if ((__atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED) | r->thread->alone) &
        CTL_PAUSED)
        return;
    notice.text.s = text ? text : "";
    notice.text.len = len < ER_STR_MAX ? (u32)len : ER_STR_MAX;
    if (o && o->path) {
        notice.path = o->id;
        notice.since = trace_between(o->ticks, now);
    }
    if (start)
        notice.node = trace_walk(&s, start);
    put_notice(r, &notice, now);
}

void
region_notice(struct region_thread *r, enum er_notice what, u64 value, const char *text,
              size_t len, const struct walk_start *start)
{
    region_notice_at(r, trace_before(), what, value, text, len, start);
}

/*
 * Set the thread's name, in place of any earlier one. Names have at most 15 bytes, as
 * in the kernel.
 */
void
region_thread_name(const char *name)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;
    struct er_name copy = { { 0 } };

    if (!t || !t->row || !name)
        return;
    memcpy(copy.c, name, strnlen(name, sizeof(copy.c) - 1));
    t->row->name = copy;
    t->named = 1;
}

u64
region_interval(void)
{
    static u64 last;

    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
