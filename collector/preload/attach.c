/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library in a process that runs already. The agent is a thread of ours, which
 * loaded the library and waits for what the launcher wants; the target's own threads
 * are stopped one after the other, and call attach_begin_thread(). See share/attach.h.
 */
#include "share/attach.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <time.h>

#include "collector/preload/expt.h"
#include "collector/preload/guard.h"
#include "collector/preload/recording.h"
#include "collector/preload/report.h"
#include "collector/preload/thread.h"
#include "collector/preload/thread_key.h"
#include "collector/sig/gate.h"

/* What ptrace gave the thread is all blocked; nothing here may allocate or lock. */
static u64
attach_begin_thread(u64 lo, u64 hi, u64 mask)
{
    struct thread_birth birth = {
        .stack_lo = lo, .stack_hi = hi, .has_startup = 1, .mask = &mask
    };
    int saved = errno;

    if (gate_is_open() && !thread_self) {
        thread_begin(&birth);
        thread_key_set_stopped();
    }
    errno = saved;
    return mask;
}

static u64
attach_end_thread(u64 lo, u64 hi, u64 mask, u64 keep)
{
    int saved = errno;

    (void)lo;
    (void)hi;
    mask = thread_detach(mask, (int)keep);
    errno = saved;
    return mask;
}

/*
 * Signal actions as the kernel has them. libc's calls put back what it says of them,
 * which is the same to the target, but for a flag that libc sets.
 */
static struct kernel_action {
    u64 handler, flags, restorer, mask;
} before[65];

static int
get_action(int sig, struct kernel_action *action)
{
    return (int)sys_call4(SYS_rt_sigaction, sig, 0, (long)(uintptr_t)action,
                          GUARD_SIGSET_BYTES);
}

static void
note_actions(void)
{
    for (int sig = 1; sig <= 64; sig++)
        (void)get_action(sig, &before[sig]);
}

static void
restore_actions(void)
{
    const u64 libc = 0x04000000; /* SA_RESTORER */

    for (int sig = 1; sig <= 64; sig++) {
        struct kernel_action now;

        if (get_action(sig, &now) == 0 && now.handler == before[sig].handler &&
            now.mask == before[sig].mask && now.flags != before[sig].flags &&
            (now.flags & ~libc) == (before[sig].flags & ~libc))
            sys_call4(SYS_rt_sigaction, sig, (long)(uintptr_t)&before[sig], 0,
                      GUARD_SIGSET_BYTES);
    }
}

static int
end(void)
{
    int error = recording_detach();

    if (error == 0)
        restore_actions();
    return error;
}

static int
begin(struct attach_page *page)
{
    struct er_params params;
    struct cpu_times used;
    int error;

    if (page->version != ATTACH_VERSION || params_parse(page->params, &params) < 0)
        return -EPROTO;
    note_actions();
    error = recording_attach(&params, page->experiment, &used);
    if (error < 0)
        return error;
    page->base_user = used.user;
    page->base_system = used.system;
    page->begin_thread = (u64)(uintptr_t)attach_begin_thread;
    page->end_thread = (u64)(uintptr_t)attach_end_thread;
    return 0;
}

/* In another PID namespace it has no number here, and nobody looks. */
static int
launcher_has_gone(const struct attach_page *page)
{
    return page->launcher &&
           sys_call4(SYS_kill, (long)page->launcher, 0, 0, 0) == -ESRCH;
}

static u32
await(struct attach_page *page, u32 done)
{
    const struct timespec second = { 1, 0 };
    u32 beat = page->beat, idle = 0;

    for (;;) {
        u32 command = __atomic_load_n(&page->command, __ATOMIC_ACQUIRE);

        if (command != done)
            return command;
        sys_call4(SYS_futex, (long)(uintptr_t)&page->command, FUTEX_WAIT, (long)done,
                  (long)(uintptr_t)&second);
        idle = page->beat == beat ? idle + 1 : 0;
        beat = page->beat;
        if (idle >= ATTACH_BEAT_SECONDS && launcher_has_gone(page))
            return ATTACH_LEAVE;
    }
}

static int
obey(struct attach_page *page, u32 command)
{
    switch (command & ATTACH_COMMAND) {
    case ATTACH_START:
        return begin(page);
    case ATTACH_PART:
        return 0;
    case ATTACH_STOP:
        return end();
    default:
        return -EINVAL;
    }
}

/* Our thread; all signals are blocked in it, as they were in the one that made it. */
__attribute__((visibility("default"))) void
ertools_attach(struct attach_page *page)
{
    u32 command = ATTACH_START;
    u64 all = ~0ull;
    int started = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&all, 0,
              GUARD_SIGSET_BYTES);
    page->agent = (u32)sys_call4(SYS_gettid, 0, 0, 0, 0);
    while ((command & ATTACH_COMMAND) != ATTACH_LEAVE) {
        page->error = obey(page, command);
        started |= command == ATTACH_START && page->error == 0;
        __atomic_store_n(&page->answered, command, __ATOMIC_RELEASE);
        sys_call4(SYS_futex, (long)(uintptr_t)&page->answered, FUTEX_WAKE, 1, 0);
        command = await(page, command);
    }
    /* The launcher was killed: no more hits and records; what is left does no harm. */
    if (started && gate_is_open())
        recording_end(EVENT_abandoned);
}
