/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/room.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "share/logxml.h"

enum {
    LITTLE = 65536, /* with less space left, some writer will soon find none */
    AHEAD_MAX = 64,        /* segments reserved from the one in use on, at most */
    MOMENT_NS = 100000000, /* ns for which reserved segments should suffice */
    SLOW_CLOCK_NS = 8000000,
    /*
     * ns until a thread's first chunk may be nearly full; most short processes have
     * ended by then.
     */
    SLOW_NS = 1000000000,
    FAST_NS = 10000000,
};

static void
no_space(struct recording *s, enum er_file file, int error)
{
    u32 *flags = &s->experiment.ctl->flags;

    if (__atomic_fetch_or(flags, CTL_NO_SPACE, __ATOMIC_ACQ_REL) & CTL_NO_SPACE)
        return;
    (void)log_event(s->experiment.log, EVENT_disk_full, moment_mono(),
                    er_files[file].name, strerror(-error), NULL, 0);
}

static u64
next_of(const struct ctl *ctl, int file)
{
    return __atomic_load_n(&ctl->file[file].next, __ATOMIC_ACQUIRE);
}

/*
 * How many segments to reserve, counted from the one in use: enough for a moment at the
 * pace at which they are used now. A thread that traces must wait if there is no space.
 */
static u64
ahead(struct recording *s, enum er_file file, u64 next)
{
    struct pace *pace = &s->pace[file];
    u64 now = moment_mono(), used = (next - pace->next) / ER_SEGMENT, want = 2;

    /* With the limit of -L, do not reserve much more than it allows. */
    if (pace->time && now > pace->time && !s->request->limit_mb)
        want += used * MOMENT_NS / (now - pace->time);
    if (want > AHEAD_MAX)
        want = AHEAD_MAX;
    if (used) {
        pace->next = next;
        pace->time = now;
    }
    return want;
}

/* Wake the threads that wait for this file to grow. */
static void
wake(struct ctl *ctl, enum er_file file)
{
    if (__atomic_load_n(&ctl->sleepers, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &ctl->file[file].reserved, FUTEX_WAKE, INT_MAX, NULL, NULL,
                0);
}

/*
 * Is this one of the files that are made only when needed, and does the target ask for
 * it?
 */
static int
is_requested(const struct ctl *ctl, enum er_file file)
{
    u32 flags = __atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE);

    return (file == FILE_madecode && flags & CTL_MADE) ||
           (file == FILE_regions && flags & CTL_REGIONS) ||
           (file == FILE_objects && flags & CTL_OBJECTS);
}

static void
serve_file(struct recording *s, enum er_file file)
{
    const struct ctl *ctl = s->experiment.ctl;
    u64 next = next_of(ctl, file), reserved = ctl->file[file].reserved;
    int ret;

    if (!reserved && is_requested(ctl, file)) {
        ret = experiment_grow(&s->experiment, file, ER_SEGMENT);
        wake(s->experiment.ctl, file);
        if (ret < 0)
            no_space(s, file, ret);
        return;
    }
    /*
     * Skip a file that was not made. If more was given out than reserved, a stray store
     * of the target has changed the page.
     */
    if (!reserved || next > reserved)
        return;
    /*
     * Skip a short descendant's file that still has much space: it is not the one for
     * which space is wanted.
     */
    if (reserved < ER_SEGMENT && next <= reserved / 4)
        return;
    ret = experiment_grow(&s->experiment, file,
                          (next / ER_SEGMENT + ahead(s, file, next)) * ER_SEGMENT);
    wake(s->experiment.ctl, file);
    if (ret < 0 && next + LITTLE > ctl->file[file].reserved)
        no_space(s, file, ret);
}

void
room_serve(struct recording *s)
{
    struct ctl *ctl = s->experiment.ctl;

    if (__atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE) & (CTL_NO_SPACE | CTL_LIMIT))
        return;
    /*
     * Each thread begins with a chunk of its own, so a process with several threads
     * needs more space.
     */
    if (__atomic_load_n(&ctl->threads, __ATOMIC_RELAXED) > 1)
        room_usual(s);
    for (int i = 0; i < FILE_COUNT; i++)
        serve_file(s, (enum er_file)i);
}

u64
room_narrow_ns(const struct recording *s)
{
    u64 clock = s->params.clock_ns;

    if (s->params.wall || s->counters.count || (clock && clock < SLOW_CLOCK_NS))
        return FAST_NS;
    return SLOW_NS;
}

int
room_are_traces(const struct request *request)
{
    for (int i = 0; i < TRACE_COUNT; i++)
        if (request->trace[i])
            return 1;
    return 0;
}

static int
are_counter_hits(const struct counter_set *counters)
{
    for (u32 i = 0; i < counters->count; i++)
        if (counters->counter[i].how.flags & COUNTER_SAMPLED)
            return 1;
    return 0;
}

int
room_optional(struct recording *s)
{
    struct expdir *e = &s->experiment;
    int ret = 0;

    for (int i = 0; i < TRACE_COUNT && ret >= 0; i++)
        if (s->request->trace[i])
            ret = experiment_grow(e, er_traces[i].file, 2 * ER_SEGMENT);
    if (ret >= 0 && room_are_traces(s->request))
        ret = experiment_grow(e, FILE_frameinfo, 2 * ER_SEGMENT);
    if (ret >= 0 && are_counter_hits(&s->counters))
        ret = experiment_grow(e, FILE_hwcounters, ER_SEGMENT);
    return ret;
}

void
room_usual(struct recording *s)
{
    (void)experiment_grow(&s->experiment, FILE_profile, 2 * ER_SEGMENT);
    (void)experiment_grow(&s->experiment, FILE_frameinfo, 2 * ER_SEGMENT);
}

u64
room_file_used(const struct ctl *ctl, int file)
{
    u64 next = next_of(ctl, file);
    u64 reserved = __atomic_load_n(&ctl->file[file].reserved, __ATOMIC_ACQUIRE);

    return next < reserved ? next : reserved;
}

u64
room_used(const struct ctl *ctl)
{
    u64 used = 0;

    for (int i = 0; i < FILE_COUNT; i++)
        used += room_file_used(ctl, i);
    return used;
}
