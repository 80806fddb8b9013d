/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/account.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "collector/preload/wall.h"
#include "collector/sig/clock.h"
#include "collector/sig/sys.h"
#include "collector/sig/thread.h"

/* Write a residual of this kind, unless user and system are 0. */
void
account_residual(struct thread *t, u32 kind, u64 user, u64 system)
{
    struct rec_residual r = { .kind = kind, .user = user, .system = system };
    unsigned char *p;
    u32 cpu;

    if (!(user | system))
        return;
    r.time = clock_ticks(&cpu);
    p = writer_begin(&t->profile, FILE_profile, t->id, r.time, ER_RECORD_MAX);
    if (p)
        writer_commit(&t->profile, rec_put_residual(&t->profile.codec, p, &r));
}

/*
 * CPU time of this thread now, ns. The sum is exact; its split into user and system
 * time has the resolution of the kernel's tick.
 */
struct cpu_times
account_now(void)
{
    struct cpu_times now = { 0, 0 };
    u64 total = clock_read(CLOCK_THREAD_CPUTIME_ID);

    clock_thread_times(&now.user, &now.system);
    if (now.system > total)
        now.system = total;
    now.user = total - now.system;
    return now;
}

/*
 * A value of the thread's CPU clock, less the time that the clock already showed before
 * an exec or an attach.
 */
u64
account_since_birth(const struct thread *t, u64 cpu)
{
    return cpu - t->before.user - t->before.system;
}

/*
 * Write the CPU time that no hit stands for as residuals, so that hits and residuals
 * sum up to the thread's CPU time.
 */
void
account_close(struct thread *t)
{
    struct cpu_times now = account_now();

    account_residual(t, RESIDUAL_PAUSED, t->paused.user, t->paused.system);
    account_residual(t, RESIDUAL_UNATTRIBUTED,
                     now.user - t->given.user - t->paused.user,
                     now.system - t->given.system - t->paused.system);
    t->given = now;
    t->paused = (struct cpu_times){ 0, 0 };
    if (!t->row)
        return;
    if (wall_is_on) {
        wall_update_delay(t);
        wall_end(t);
    }
    t->row->cpu_last = account_since_birth(t, now.user + now.system);
    t->row->system_last = now.system - t->before.system;
    if (!t->named)
        sys_call4(SYS_prctl, PR_GET_NAME, (long)(uintptr_t)t->row->name.c, 0, 0);
}

static u64
nanoseconds(struct timeval tv)
{
    return ((u64)tv.tv_sec * 1000000u + (u64)tv.tv_usec) * 1000u;
}

/* The sum is exact; its split has the resolution of the kernel's tick. */
struct cpu_times
account_process(void)
{
    u64 total = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    struct cpu_times now;
    struct rusage use;

    memset(&use, 0, sizeof(use));
    sys_call4(SYS_getrusage, RUSAGE_SELF, (long)(uintptr_t)&use, 0, 0);
    now.system = nanoseconds(use.ru_stime);
    if (now.system > total)
        now.system = total;
    now.user = total - now.system;
    return now;
}

static struct cpu_times base;

void
account_set_base(u64 user, u64 system)
{
    base = (struct cpu_times){ user, system };
}

struct cpu_times
account_since_base(struct cpu_times now)
{
    u64 before = base.user + base.system, total = now.user + now.system;

    total = total > before ? total - before : 0;
    now.system = now.system > base.system ? now.system - base.system : 0;
    if (now.system > total)
        now.system = total;
    now.user = total - now.system;
    return now;
}
