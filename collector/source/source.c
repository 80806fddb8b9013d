/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/source/source.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "collector/sig/guard.h"
#include "collector/sig/chain.h"
#include "collector/sig/clock.h"
#include "collector/sig/hit.h"

struct source_settings source_settings;
static const struct er_params *asked; /* those of source_start() */

enum {
    DESCRIPTOR_SHARE = 64, /* we keep at most 1/64 of the limit on descriptors */
    HIGH_NUMBER = 1000,
    DRAIN_MAX = 8, /* maximum number of signals that drain() takes */
};

/*
 * Find the length of the kernel's tick, by which it accounts CPU time, in ns: it is the
 * step of the coarse clock.
 */
static u64
tick_length(void)
{
    struct timespec ts = { 0, 0 };

    if (sys_call4(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, (long)(uintptr_t)&ts, 0, 0))
        return 4000000;
    return (u64)ts.tv_nsec;
}

static void
set_interval(u64 clock_ns)
{
    source_settings.clock_ns = clock_ns;
    hit_settings.clock_ns = clock_ns;
}

void
source_renew(void)
{
    struct rlimit limit = { 0, 0 };

    sys_call4(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)(uintptr_t)&limit);
    set_interval(asked->clock_ns);
    source_settings.clock_else = asked->clock_else;
    source_settings.try_perf = !asked->no_perf;
    source_settings.descriptors = 0;
    if (limit.rlim_cur > HIGH_NUMBER) {
        u64 share = limit.rlim_cur / DESCRIPTOR_SHARE;
        u64 room = limit.rlim_cur - HIGH_NUMBER;

        source_settings.descriptors = (int)(share < room ? share : room);
    }
    hit_settings.tick_ns = tick_length();
}

void
source_start(const struct er_params *params)
{
    asked = params;
    source_renew();
}

/*
 * The timer's interval, in ns. The timer fires at ticks, and must not miss one, so that
 * each tick in the kernel is noticed. With an interval of a whole tick, it would miss
 * ticks that come a little early.
 */
static u64
timer_interval(void)
{
    return hit_settings.tick_ns - hit_settings.tick_ns / 4;
}

void
source_arm(struct thread *t)
{
    int error;

    t->timer = -1;
    t->perf.fd = t->perf.number = -1;
    counter_arm(t);
    /*
     * Record clock hits instead if this thread could open no counter: it lacks the
     * rights, or a seccomp filter that it has inherited forbids that.
     */
    if (!source_settings.clock_ns && !t->counters && source_settings.counters_refused)
        set_interval(source_settings.clock_else);
    if (!source_settings.clock_ns)
        return;
    t->perf.random = t->tid * 2654435761u | 1;
    clock_thread_times(&t->seen.user, &t->seen.system);
    error = source_settings.try_perf ? perf_arm(t) : 0;
    if (error < 0) {
        source_settings.perf_error = -error;
        source_settings.perf_refused++;
    }
    if (t->perf.number >= 0)
        t->source |= SOURCE_PERF;
    if (t->perf.fd >= 0)
        t->source |= SOURCE_JITTER;
    error = timer_arm(t, timer_interval());
    if (error < 0)
        source_settings.timer_error = -error;
    else
        t->source |= SOURCE_TIMER;
}

/*
 * Discard pending signals of our clocks; keep a pending signal of the target's for it.
 */
static void
drain(struct thread *t)
{
    u64 set = 1ull << (hit_signal - 1);
    struct timespec none = { 0, 0 };
    siginfo_t info;

    for (int i = 0; i < DRAIN_MAX; i++) {
        if (sys_call4(SYS_rt_sigtimedwait, (long)(uintptr_t)&set,
                      (long)(uintptr_t)&info, (long)(uintptr_t)&none,
                      GUARD_SIGSET_BYTES) < 0)
            return;
        if (!sig_is_ours(t, &info)) {
            t->held = 1;
            t->held_info = info;
        }
    }
}

void
source_silence(struct thread *t)
{
    int number = t->perf.number;

    timer_disarm(t);
    perf_disarm(t);
    counter_disarm(t);
    t->perf.number = number;
}

void
source_disarm(struct thread *t)
{
    int number = t->perf.number;

    timer_disarm(t);
    perf_disarm(t);
    counter_disarm(t);
    t->perf.number = number; /* drain() still has to know our signals */
    drain(t);
    t->perf.number = -1;
    t->counters = 0;
}
