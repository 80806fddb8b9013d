/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/fork.h"

#include <errno.h>
#include <string.h>

#include "collector/got/got.h"
#include "collector/libc/real.h"
#include "collector/preload/child.h"
#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/spawn_environ.h"
#include "collector/preload/map.h"
#include "collector/preload/own_signal.h"
#include "collector/preload/stack.h"
#include "collector/preload/thread.h"
#include "collector/preload/wall.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/space.h"

/*
 * State of the fork that is in progress. There is only one at a time, since its thread
 * holds the locks.
 */
u64 fork_time;
static u64 signal_mask;
static int recorded;
static int has_map; /* 1 = guard_map, the first of guard_locks[], is held */
static struct ctl *announced; /* the page on which the child was announced, or NULL */

/*
 * Count the fork on the control page: if this process ends soon, as in daemon(), the
 * launcher waits a little for the child's request for an experiment. If the child dies
 * before its request, the launcher waits in vain.
 */
static void
announce(void)
{
    announced = recorded && descend_is_wanted() ? space_wake_page : NULL;
    if (announced)
        __atomic_fetch_add(&announced->forks, 1, __ATOMIC_ACQ_REL);
}

/*
 * Block all signals: the kernel would restart the fork whenever one is pending, and no
 * handler of the target may run while the locks are held. If the target calls fork() in
 * a callback of dl_iterate_phdr(), we hold the loader's lock, for which the thread that
 * holds guard_map may wait: then fork without guard_map.
 */
void
fork_prepare(void)
{
    u64 mask = guard_enter();

    int map = guard_try(guard_locks[0]);

    for (size_t i = 1; i < GUARD_LOCKS; i++)
        guard_lock(guard_locks[i]);
    has_map = map;
    signal_mask = mask;
    recorded = gate_is_owner();
    fork_time = clock_mono();
    announce();
}

void
fork_failed(void)
{
    if (gate_is_owner() && descend_is_wanted() && space_wake_page)
        __atomic_fetch_sub(&space_wake_page->forks, 1, __ATOMIC_ACQ_REL);
}

static u64
release(int map)
{
    u64 mask = signal_mask;

    for (size_t i = GUARD_LOCKS; i-- > 1;)
        guard_unlock(guard_locks[i]);
    if (map)
        guard_unlock(guard_locks[0]);
    return mask;
}

void
fork_parent(void)
{
    guard_leave(release(has_map));
}

struct beginning {
    enum er_how how;
    u64 mask;
};

/*
 * Set the birth of the child's thread to the time of the fork, unless wall time is
 * accounted: the child has inherited the code that its parent had made at run time up
 * to then, but not what the parent makes later.
 */
static void
set_birth(void)
{
    struct thread *t = thread_self;

    if (t && t->row && !wall_is_on)
        t->row->birth = fork_time;
}

static void
begin_recording(void *arg)
{
    struct beginning *b = arg;

    if (!recorded || child_begin(b->how, &b->mask) < 0)
        b->mask = child_leave(b->mask);
    else
        set_birth();
}

static void
begin_child(enum er_how how)
{
    struct beginning b = { how, release(1) };

    got_fork_child();
    map_doubt_loader();
    spawn_environ_fork_child();
    if (recorded && thread_in_hook())
        space_fill();
    if (!gate_limited)
        stack_run(begin_recording, &b);
    guard_leave(b.mask);
}

void
fork_child(enum er_how how)
{
    begin_child(how);
    if (announced)
        __atomic_fetch_sub(&announced->forks, 1, __ATOMIC_ACQ_REL);
}

static void
child(void)
{
    fork_child(HOW_FORK);
}

void
fork_start(void)
{
    static u32 started;

    if (!__atomic_exchange_n(&started, 1, __ATOMIC_ACQ_REL) &&
        REAL(__register_atfork))
        (void)REAL(__register_atfork)(fork_prepare, fork_parent, child, NULL);
}

void
fork_log_unseen(const char *how)
{
    static int told;

    /*
     * If getpid() may not be called (gate_no_pid), do not log: a seccomp filter of the
     * target may kill us for the call, and recording is over anyway.
     */
    if (told || !own_signal_is_taken() || gate_is_open() || gate_no_pid ||
        expt_is_over() || !strcmp(how, "exec") ||
        (u32)sys_call4(SYS_getpid, 0, 0, 0, 0) == space_pid)
        return;
    told = 1;
    expt_event(EVENT_descendant_lost, program_invocation_short_name,
               "it was forked past libc", NULL, 0);
}
