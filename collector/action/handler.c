/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/action/handler.h"

#include "collector/libc/real.h"
#include "collector/sig/guard.h"
#include "collector/sig/thread.h"
#include "collector/sig/bus.h"
#include "collector/sig/chain.h"
#include "collector/sig/frame.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit_settings.h"
#include "collector/action/kernel_action.h"

static int started;

/* The rules from which the kernel's present actions were made. */
static struct kernel_action_rules rules;

static struct kernel_action_rules
rules_now(void)
{
    struct kernel_action_rules now = { 0 };

    if (!started)
        return now;
    /*
     * Hide nothing if the target handles our signal itself: its other handlers may
     * block that signal, and then some hits come late.
     */
    if (hit_is_used && !action_is_function(chain_action()->handler))
        now.hidden = hit_signal;
    if (!thread_alt_shared)
        now.stacks = thread_no_alt ? STACKS_MOVED : STACKS_HIDDEN;
    now.bus = 1;
    return now;
}

/* Store the target's action, for our handlers, before the kernel gets its action. */
static void
store(int signo, const struct action *wanted, const struct action *given)
{
    struct action *kept = &action_wanted[signo];

    if (action_is_function(wanted->handler))
        __atomic_store_n(&frame_handlers[signo], wanted->handler, __ATOMIC_RELEASE);
    if (given->mask != wanted->mask)
        __atomic_store_n(&frame_views, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&kept->handler, wanted->handler, __ATOMIC_RELEASE);
    __atomic_store_n(&kept->mask, wanted->mask, __ATOMIC_RELAXED);
    kept->flags = wanted->flags;
}

static int
is_stored(int signo)
{
    const struct action *kept = &action_wanted[signo];

    return kept->handler || kept->mask || kept->flags;
}

/* Give the kernel the action for signo that follows from new rules. */
static void
reapply(int signo, const struct kernel_action_rules *next)
{
    struct action before, wanted, given;
    struct sigaction now;

    if (REAL(sigaction)(signo, NULL, &now) < 0)
        return;
    before = action_from_libc(&now);
    wanted = kernel_action_undo(signo, &before, &action_wanted[signo], &rules);
    given = kernel_action(signo, &wanted, next);
    if (given.handler == before.handler && given.mask == before.mask &&
        given.flags == before.flags)
        return;
    if (gate_state() != GATE_VFORK_CHILD)
        store(signo, &wanted, &given);
    action_into_libc(&given, &now);
    REAL(sigaction)(signo, &now, NULL);
}

void
handler_update(void)
{
    struct kernel_action_rules next = rules_now();

    if (next.hidden == rules.hidden && next.stacks == rules.stacks &&
        next.bus == rules.bus)
        return;
    for (int signo = 1; signo <= ACTION_SIGNALS; signo++)
        if (is_stored(signo) || signo == SIGBUS)
            reapply(signo, &next);
    /*
     * Keep `rules` in a vfork child: it has changed its own actions, but `rules` is its
     * parent's.
     */
    if (gate_state() != GATE_VFORK_CHILD)
        rules = next;
}

/*
 * The action that the target means by act. If the handler in act is ours, which the
 * target can only have read by a system call of its own, it means its own, as stored.
 */
static struct action
meant_action(int signo, const struct sigaction *act)
{
    struct action wanted = action_from_libc(act);

    wanted.flags |= ACTION_RESTORER;
    if (act->sa_sigaction == sig_frame || act->sa_sigaction == sig_bus)
        wanted.handler = action_wanted[signo].handler;
    return wanted;
}

static int
change(int signo, const struct sigaction *act, struct sigaction *old)
{
    struct action kept, wanted, given;
    struct sigaction ours, before;
    int result, stored = 0;

    if (!action_bit(signo))
        return REAL(sigaction)(signo, act, old);
    kept = action_wanted[signo];
    if (act && gate_state() != GATE_VFORK_CHILD) {
        handler_update();
        wanted = meant_action(signo, act);
        given = kernel_action(signo, &wanted, &rules);
        store(signo, &wanted, &given);
        stored = 1;
        ours = *act;
        action_into_libc(&given, &ours);
        act = &ours;
    }
    result = REAL(sigaction)(signo, act, &before);
    if (result < 0 && stored)
        action_wanted[signo] = kept;
    if (result == 0 && old) {
        given = action_from_libc(&before);
        wanted = kernel_action_undo(signo, &given, &kept, &rules);
        *old = before;
        action_into_libc(&wanted, old);
    }
    return result;
}

/* Change the kernel's action and the stored action of the target together. */
int
handler_action(int signo, const struct sigaction *act, struct sigaction *old)
{
    u64 mask;
    int result;

    if (!gate_is_open() || gate_limited || gate_state() == GATE_VFORK_CHILD)
        return change(signo, act, old);
    mask = guard_enter();
    guard_lock(&guard_action);
    result = change(signo, act, old);
    guard_unlock(&guard_action);
    guard_leave(mask);
    return result;
}

sighandler_t
handler_of_target(int signo, sighandler_t had)
{
    void *handler = (void *)(uintptr_t)had;

    if (handler == (void *)(uintptr_t)sig_frame)
        handler = frame_handlers[signo];
    else if (handler == (void *)(uintptr_t)sig_bus)
        handler = action_wanted[SIGBUS].handler;
    return (sighandler_t)(uintptr_t)handler;
}

void
handler_forget(int signo)
{
    if (action_bit(signo) && gate_state() != GATE_VFORK_CHILD)
        action_wanted[signo] = (struct action){ 0 };
}

void
handler_use_stacks(void)
{
    int alone = gate_state() == GATE_VFORK_CHILD;

    if (!alone)
        guard_lock(&guard_action);
    thread_no_alt = 1;
    handler_update();
    if (!alone)
        guard_unlock(&guard_action);
}

void
handler_share_stacks(void)
{
    thread_alt_shared = 1;
    handler_update();
}

void
handler_start(void)
{
    started = 1;
    handler_update();
}

void
handler_restore(void)
{
    started = 0;
    handler_update();
}
