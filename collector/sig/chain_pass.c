/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/chain_pass.h"

#include <ucontext.h>

#include "collector/sig/chain.h"
#include "collector/sig/frame.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/sys.h"

enum { SIGSET_BYTES = 8 };

static void
run(struct thread *t, const struct action *action, siginfo_t *info,
    ucontext_t *uc)
{
    u64 own = 1ull << (hit_signal - 1);
    frame_handler *function;
    u64 mask;

    __builtin_memcpy(&mask, &uc->uc_sigmask, sizeof(mask));
    __builtin_memcpy(&function, &action->handler, sizeof(function));
    if (t && (!(action->flags & SA_NODEFER) || action->mask & own))
        t->blocked = 1;
    mask = (mask | action->mask) & ~own;
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&mask, 0, SIGSET_BYTES);
    function(hit_signal, info, uc);
    mask = ~0ull;
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&mask, 0, SIGSET_BYTES);
}

/* Run the target's handler, and again for each signal kept in the meantime. */
static void
run_all(long thread, siginfo_t *info, void *uc)
{
    struct thread *t = (struct thread *)thread;
    siginfo_t held;

    for (;;) {
        struct action action = *chain_action();

        /* The default action of our signal is to do nothing. */
        if (!action_is_function(action.handler))
            return;
        if (action.flags & (int)SA_RESETHAND) {
            struct action reset = action; /* its flags and its mask stay */

            reset.handler = (void *)SIG_DFL;
            chain_set(&reset);
        }
        run(t, &action, info, uc);
        if (!t)
            return;
        t->blocked = 0;
        if (!chain_pop(t, &held))
            return;
        info = &held;
    }
}

/*
 * A thread that was created with our signal and others blocked may unblock all of them
 * by its own system calls, as Go's runtime does. We notice it when the other signals
 * are no longer in the kernel's mask.
 */
static void
notice_raw_unblock(struct thread *t, const ucontext_t *uc)
{
    u64 mask;

    __builtin_memcpy(&mask, &uc->uc_sigmask, sizeof(mask));
    if (t->blocked_with & ~mask)
        t->blocked = 0;
}

void
chain_pass(struct thread *t, siginfo_t *info, void *context)
{
    struct action action = *chain_action();
    struct frame_place place;

    if (t && t->blocked && t->blocked_with)
        notice_raw_unblock(t, context);
    if (t && t->blocked) {
        chain_hold(t, info);
        return;
    }
    if (!action_is_function(action.handler))
        return;
    place = frame_place(t, context, action.flags & SA_ONSTACK);
    if (place.top)
        frame_move(&place, run_all, (long)t, info, context, 0);
    run_all((long)t, info, context);
}

void
chain_pass_held(struct thread *t, void *context)
{
    siginfo_t info;

    if (t && !t->blocked && chain_held(t) && chain_pop(t, &info))
        chain_pass(t, &info, context);
}
