/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/own_signal.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

#include "collector/action/handler.h"
#include "collector/libc/real.h"
#include "collector/preload/program.h"
#include "collector/preload/thread.h"
#include "collector/sig/chain.h"
#include "collector/sig/gate.h"
#include "collector/sig/guard.h"
#include "collector/sig/hit.h"
#include "collector/sig/space.h"

enum {
    HWCAP2_FSGSBASE = 2, /* from asm/hwcap2.h, which some systems lack */
};

static int taken; /* 1 = our handlers are installed */
/* The target's actions for the signals of -l and -y; the kernel has our handler. */
static struct sigaction sample_before, pause_before;
static int sample_signal, pause_signal; /* of -l and -y; 0 = none */

/*
 * Install our handler for a signal. restart: SA_RESTART or 0. *before: set to the
 * target's action, unless before is NULL. 0 or -errno.
 */
static int
install_handler(int signo, int restart, struct sigaction *before)
{
    struct sigaction ours;

    memset(&ours, 0, sizeof(ours));
    ours.sa_sigaction = sig_handler;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | restart;
    sigfillset(&ours.sa_mask);
    sigdelset(&ours.sa_mask, SIGBUS);
    return REAL(sigaction)(signo, &ours, before) < 0 ? -errno : 0;
}

int
own_signal_is_taken(void)
{
    return taken;
}

struct sigaction *
own_signal_kept(int signo)
{
    if (signo && signo == sample_signal)
        return &sample_before;
    return signo && signo == pause_signal ? &pause_before : NULL;
}

void
own_signal_choose(const struct er_params *params)
{
    sample_signal = (int)params->sample_signal;
    pause_signal = (int)params->pause_signal;
    if (program_kind() != PROGRAM_GO)
        return;
    if (sample_signal != SIGWINCH && pause_signal != SIGWINCH)
        hit_signal = SIGWINCH;
    handler_share_stacks();
}

/* Remember the target's action for our signal: the kernel has our handler instead. */
static void
keep_action(const struct sigaction *before)
{
    struct action action = action_from_libc(before);

    chain_set(&action);
}

int
own_signal_start(const struct er_params *params)
{
    struct sigaction before;
    int error;

    thread_reads_pointer = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
    hit_is_used = params->clock_ns || space_ctl->counters;
    error = hit_is_used ? install_handler(hit_signal, SA_RESTART, &before) : 0;
    if (error < 0)
        return error;
    if (hit_is_used)
        keep_action(&before);
    hit_settings.pid = space_pid;
    hit_settings.sample_signal = sample_signal;
    hit_settings.pause_signal = pause_signal;
    if (sample_signal)
        error = install_handler(sample_signal, SA_RESTART, &sample_before);
    if (error == 0 && pause_signal)
        error = install_handler(pause_signal, SA_RESTART, &pause_before);
    taken = 1;
    return error;
}

u32
own_signal_unblock(void)
{
    u64 own = 1ull << (hit_signal - 1), before = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)(uintptr_t)&own,
              (long)(uintptr_t)&before, GUARD_SIGSET_BYTES);
    return (before & own) != 0;
}

static struct sigaction
action_of_target(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action_into_libc(chain_action(), &action);
    return action;
}

void
own_signal_mirror_restart(void)
{
    struct sigaction action = action_of_target();
    int handled = action_is_function(chain_action()->handler);

    install_handler(hit_signal, handled ? action.sa_flags & SA_RESTART : SA_RESTART,
                    NULL);
}

int
own_signal_move(const sigset_t *set)
{
    const int to = SIGWINCH;
    struct sigaction action = action_of_target(), before;
    u64 mask;

    if (hit_signal == to || gate_limited || sigismember(set, to) == 1 ||
        sample_signal == to || pause_signal == to || !thread_is_alone())
        return -EBUSY;
    thread_suspend_signal(thread_self);
    mask = guard_enter();
    REAL(sigaction)(hit_signal, &action, NULL);
    handler_action(to, NULL, &before);
    if (install_handler(to, SA_RESTART, NULL) == 0) {
        hit_signal = to;
        handler_forget(to);
        keep_action(&before);
        handler_update();
        own_signal_mirror_restart();
        thread_resume_signal(thread_self, &mask);
    }
    guard_leave(mask);
    return 0;
}

void
own_signal_restore(void)
{
    struct sigaction action = action_of_target();

    taken = 0;
    handler_restore();
    if (hit_is_used)
        REAL(sigaction)(hit_signal, &action, NULL);
    if (sample_signal)
        REAL(sigaction)(sample_signal, &sample_before, NULL);
    if (pause_signal)
        REAL(sigaction)(pause_signal, &pause_before, NULL);
}

u64
own_signal_hold(void)
{
    u64 own = 1ull << (hit_signal - 1), before = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, (long)(uintptr_t)&own,
              (long)(uintptr_t)&before, GUARD_SIGSET_BYTES);
    return before;
}

void
own_signal_release(u64 mask)
{
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&mask, 0,
              GUARD_SIGSET_BYTES);
}
