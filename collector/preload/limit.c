/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/limit.h"

#include <sys/prctl.h>
#include <unistd.h>

#include "collector/libc/real.h"
#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/map.h"
#include "collector/preload/clients.h"
#include "collector/preload/recording.h"
#include "collector/preload/thread.h"
#include "collector/sig/clock.h"
#include "collector/sig/counter.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/mem.h"
#include "collector/sig/wall.h"
#include "share/filter.h"

static u32 allowed = FILTER_ALL; /* enum filter_use: allowed by all filters so far */
static u32 asks_no_clock; /* 1 = clock_gettime() is forbidden, and is not needed */

/* Will the kernel accept the filter? See EACCES, EFAULT and EINVAL in seccomp(2). */
static int
is_acceptable(const struct sock_fprog *program)
{
    return (geteuid() == 0 || REAL(prctl)(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) &&
           mem_readable((u64)(uintptr_t)program, sizeof(*program)) &&
           program->len > 0 && program->len <= BPF_MAXINSNS &&
           mem_readable((u64)(uintptr_t)program->filter,
                        program->len * sizeof(*program->filter));
}

static void
log_limit(u32 uses)
{
    const char *what = "no system time";

    if (!(uses & FILTER_REST))
        what = uses & FILTER_TIMERS
                   ? "no later thread, descendant, load object or end"
                   : "no system time, later thread, descendant, load object or end";
    else if (uses & FILTER_TIMERS)
        return;
    expt_event(EVENT_restricted, what, NULL, NULL, 0);
}

/*
 * Can recording go on with these calls? If timers are forbidden, only a thread with a
 * perf clock has hits.
 */
static int
can_go_on(u32 uses)
{
    const struct thread *t = thread_self;

    return uses & FILTER_HITS && uses & FILTER_CLOCK && !clients_count() &&
           (uses & FILTER_TIMERS || (t && t->source & SOURCE_PERF));
}

static void
limit(u32 uses)
{
    map_refresh(1);
    if (!(uses & FILTER_REST))
        thread_close_accounts();
    log_limit(uses);
    thread_limit(!(uses & FILTER_TIMERS), !(uses & FILTER_VARY));
    space_no_wake |= !(uses & FILTER_WAKE);
    space_no_windows |= !(uses & FILTER_WINDOWS);
    gate_no_pid |= !(uses & FILTER_PID);
    wall_is_on &= (uses & FILTER_REST) != 0;
    gate_limited |= !(uses & FILTER_REST) || !(uses & FILTER_PID);
}

/* 1 if I/O is traced: only that makes the calls that find the names of descriptors. */
static int
traces_io(void)
{
    const u64 *reserved = &space_ctl->file[FILE_iotrace].reserved;

    return __atomic_load_n(reserved, __ATOMIC_ACQUIRE) != 0;
}

void
limit_by_filter(const struct sock_fprog *program)
{
    u32 uses = 0;

    if (!gate_is_owner() || (program && !is_acceptable(program)))
        return;
    if (program)
        uses = allowed & filter_allows(program->filter, program->len);
    if (program && !traces_io())
        uses |= FILTER_NAMES;
    if (program && !(uses & FILTER_HOME)) {
        counter_no_home = 1;
        uses |= FILTER_HOME;
    }
    if (program && !(uses & FILTER_CLOCK) && (asks_no_clock || !clock_makes_calls())) {
        clock_leave_calls();
        asks_no_clock = 1;
        uses |= FILTER_CLOCK;
    }
    if (uses == allowed)
        return;
    allowed = uses;
    mem_probe_forbidden |= !(uses & FILTER_PROBE);
    if (can_go_on(uses))
        limit(uses);
    else
        recording_end(EVENT_seccomp);
}

void
limit_clock(void)
{
    /*
     * Shut the gate if clock_gettime() is forbidden: without the TSC, which the vdso
     * may read, too, hits have no time then, and the filter allows no call to report
     * the end.
     */
    if (gate_is_open() && asks_no_clock)
        gate_shut();
    else
        clock_leave_tsc();
}
