/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/signals/bus.h"

#include <string.h>

#include "collector/hook/real.h"
#include "collector/signals/signal.h"
#include "collector/preload/recording.h"
#include "collector/sig/bus.h"

static int taken;
static int said; /* the flags of the target's action, as libc has them */

/* Change *action, the kernel's, to the one that the target set. */
static void
as_target_set(struct sigaction *action)
{
    if (action->sa_sigaction != sig_bus)
        return;
    action->sa_handler = (sighandler_t)(uintptr_t)bus_target;
    action->sa_flags = said;
}

/* The action that the kernel gets. SIG_IGN stays, because an exec inherits it. */
static struct sigaction
with_ours(const struct sigaction *by)
{
    struct sigaction action = *by;

    if (by->sa_handler == SIG_IGN)
        return action;
    if (by->sa_handler == SIG_DFL)
        action.sa_flags = SA_ONSTACK | SA_RESTART;
    said = by->sa_flags;
    action.sa_flags |= SA_SIGINFO;
    __atomic_store_n(&bus_target, (void *)(uintptr_t)by->sa_handler, __ATOMIC_RELEASE);
    action.sa_sigaction = sig_bus;
    return action;
}

int
bus_sigaction(int signo, const struct sigaction *act, struct sigaction *old)
{
    struct sigaction ours, before;
    int result;

    if (signo != SIGBUS || !taken)
        return REAL(sigaction)(signo, act, old);
    /* A vfork child: its actions are its own, but our memory is its parent's. */
    if (act && !recording_in_vfork_child()) {
        result = REAL(sigaction)(signo, NULL, &before);
        as_target_set(&before);
        ours = with_ours(act);
        said |= SIGNAL_RESTORER;
        if (result == 0)
            result = REAL(sigaction)(signo, &ours, NULL);
    } else {
        result = REAL(sigaction)(signo, act, &before);
        as_target_set(&before);
    }
    if (result == 0 && old)
        *old = before;
    return result;
}

void
bus_use_stack(void)
{
    said |= SA_ONSTACK;
}

void
bus_take(void)
{
    struct sigaction now, ours;

    if (REAL(sigaction)(SIGBUS, NULL, &now) < 0 || now.sa_sigaction == sig_bus)
        return;
    taken = 1;
    ours = with_ours(&now);
    REAL(sigaction)(SIGBUS, &ours, NULL);
}

void
bus_give_back(void)
{
    struct sigaction now;

    if (!taken)
        return;
    taken = 0;
    if (REAL(sigaction)(SIGBUS, NULL, &now) < 0 || now.sa_sigaction != sig_bus)
        return;
    as_target_set(&now);
    REAL(sigaction)(SIGBUS, &now, NULL);
}
