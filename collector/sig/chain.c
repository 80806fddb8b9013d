/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/chain.h"

#include <ucontext.h>

#include "collector/sig/frame.h"
#include "collector/sig/hit.h"
#include "collector/sig/sys.h"

enum {
    ACTIONS = 64, /* number of changes for which an old action stays readable */
    SIGSET_BYTES = 8,
};

static struct action actions[ACTIONS];
static u32 current;

/*
 * State of a signal of our number that was sent to the whole process, and that arrived
 * in a thread in whose view it is blocked.
 */
enum {
    SHARED_NONE,
    SHARED_BUSY,
    SHARED_HELD,
};

static siginfo_t shared_info;
static u32 shared_state;

u32 chain_waiter, chain_reader;

const struct action *
chain_action(void)
{
    return &actions[__atomic_load_n(&current, __ATOMIC_ACQUIRE) % ACTIONS];
}

void
chain_set(const struct action *action)
{
    u32 next = current + 1;

    actions[next % ACTIONS] = *action;
    __atomic_store_n(&current, next, __ATOMIC_RELEASE);
}

static void
hold_shared(const siginfo_t *info)
{
    u32 none = SHARED_NONE;

    /*
     * As in the kernel, a standard signal that is pending already is not queued again.
     */
    if (!__atomic_compare_exchange_n(&shared_state, &none, SHARED_BUSY, 0,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    shared_info = *info;
    __atomic_store_n(&shared_state, SHARED_HELD, __ATOMIC_RELEASE);
}

static int
send(u32 tid, const siginfo_t *info)
{
    siginfo_t copy = *info;

    return (int)sys_call4(SYS_rt_tgsigqueueinfo, sys_call4(SYS_getpid, 0, 0, 0, 0),
                          (long)tid, hit_signal, (long)(uintptr_t)&copy);
}

void
chain_deliver(u32 tid, const siginfo_t *info)
{
    (void)send(tid, info);
}

int
chain_is_nudge(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &chain_waiter;
}

void
chain_nudge(u32 tid)
{
    siginfo_t info = { .si_signo = hit_signal, .si_code = SI_QUEUE };

    info.si_value.sival_ptr = &chain_waiter;
    chain_deliver(tid, &info);
}

/*
 * Send the signal to the thread that reads our signal from a signalfd; only that thread
 * has the signal blocked in the kernel, too. Returns 1 if it was sent. An si_code that
 * only the kernel may use becomes SI_QUEUE.
 */
static int
hand_to_reader(const siginfo_t *info)
{
    u32 reader = __atomic_load_n(&chain_reader, __ATOMIC_ACQUIRE);
    siginfo_t copy = *info;

    if (copy.si_code >= 0)
        copy.si_code = SI_QUEUE;
    return reader && send(reader, &copy) == 0;
}

/*
 * Keep a signal that the target has blocked in this thread. If it was sent to the
 * thread, keep it for the thread. Else give it to the thread that reads our signal from
 * a signalfd, or keep it for the process and nudge the thread in sigwait(), if any.
 */
static void
hold(struct thread *t, const siginfo_t *info)
{
    u32 waiter;

    if (info->si_code == SI_TKILL) {
        t->held_info = *info;
        t->held = 1;
    } else if (!hand_to_reader(info)) {
        hold_shared(info);
        waiter = __atomic_load_n(&chain_waiter, __ATOMIC_SEQ_CST);
        if (waiter && waiter != t->tid)
            chain_nudge(waiter);
    }
}

int
chain_held(const struct thread *t)
{
    return t->held || __atomic_load_n(&shared_state, __ATOMIC_ACQUIRE) == SHARED_HELD;
}

int
chain_pop(struct thread *t, siginfo_t *info)
{
    u32 held = SHARED_HELD;

    if (t->held) {
        *info = t->held_info;
        t->held = 0;
        return 1;
    }
    if (!__atomic_compare_exchange_n(&shared_state, &held, SHARED_BUSY, 0,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return 0;
    *info = shared_info;
    __atomic_store_n(&shared_state, SHARED_NONE, __ATOMIC_RELEASE);
    return 1;
}

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
        hold(t, info);
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
