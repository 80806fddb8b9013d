/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target may block, ignore, handle and query every signal, ours too, and gets the
 * same results as without us. In the kernel our signal stays unblocked and handled by
 * us; the target's view of it is kept in sig/chain.h and struct thread.
 */
#include <errno.h>
#include <string.h>

#include "collector/action/handler.h"
#include "collector/libc/real.h"
#include "collector/signals/signal.h"
#include "collector/sig/guard.h"
#include "collector/preload/recording.h"
#include "collector/preload/thread.h"
#include "collector/sig/chain.h"
#include "collector/sig/frame.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit.h"
#include "collector/sig/mem.h"


/* 1 for a signal whose handler in the kernel must stay ours, also in a forked child. */
static int
taken(int signo)
{
    return recording_has_signals() &&
           ((signo == hit_signal && hit_is_used) ||
            (signo && (signo == hit_settings.sample_signal ||
                       signo == hit_settings.pause_signal)));
}

/* sigaction() of a signal that we use. For those of -l and -y nothing is stored. */
static int
own_action(int signo, const struct sigaction *act, struct sigaction *old)
{
    u64 mask = guard_enter();
    struct action asked;

    guard_lock(&guard_action);
    /* Read *act before *old is written: they may be the same object. */
    if (act)
        asked = action_from_libc(act);
    if (old) {
        memset(old, 0, sizeof(*old));
        action_into_libc(chain_action(), old);
    }
    if (act && signo == hit_signal && !recording_in_vfork_child()) {
        asked.flags |= ACTION_RESTORER;
        chain_set(&asked);
        handler_update();
        recording_mirror_restart();
    } else if (act && signo == hit_signal) {
        /*
         * In a vfork child, change only the kernel's action: what is stored here is its
         * parent's.
         */
        REAL(sigaction)(signo, act, NULL);
    }
    guard_unlock(&guard_action);
    guard_leave(mask);
    return 0;
}

WRAPPER int
sigaction(int signo, const struct sigaction *restrict act,
          struct sigaction *restrict old)
{
    if (taken(signo))
        return own_action(signo, act, old);
    if (!recording_has_signals())
        return REAL(sigaction)(signo, act, old);
    return handler_action(signo, act, old);
}

/*
 * signal() and its variants, for a signal that we use; flags: those that the variant
 * sets.
 */
static sighandler_t
own_signal(int signo, sighandler_t handler, int flags)
{
    struct sigaction act, old;

    memset(&act, 0, sizeof(act));
    act.sa_handler = handler;
    act.sa_flags = flags;
    own_action(signo, &act, &old);
    return old.sa_handler;
}

/* signal() for SIGBUS, whose handler in the kernel is ours: see bus.h. */
static sighandler_t
bus_signal(sighandler_t handler, int flags)
{
    struct sigaction act, old;

    memset(&act, 0, sizeof(act));
    act.sa_handler = handler;
    act.sa_flags = flags;
    return handler_action(SIGBUS, &act, &old) < 0 ? SIG_ERR : old.sa_handler;
}

/* signal() by any of its names. */
#define SIGNAL(name, flags)                                     \
    WRAPPER sighandler_t                                        \
    name(int signo, sighandler_t handler)                       \
    {                                                           \
        if (taken(signo))                                       \
            return own_signal(signo, handler, (int)(flags));    \
        if (signo == SIGBUS && recording_has_signals())             \
            return bus_signal(handler, (int)(flags));           \
        if (recording_has_signals())                                \
            handler_forget(signo);                              \
        return handler_of_target(signo, REAL(name)(signo, handler)); \
    }

SIGNAL(signal, SA_RESTART)
SIGNAL(bsd_signal, SA_RESTART)
SIGNAL(ssignal, SA_RESTART)
SIGNAL(sysv_signal, SA_RESETHAND | SA_NODEFER)
SIGNAL(__sysv_signal, SA_RESETHAND | SA_NODEFER)

WRAPPER sighandler_t
sigset(int signo, sighandler_t handler)
{
    if (!taken(signo)) {
        if (signo == SIGBUS && recording_has_signals() && handler != SIG_HOLD)
            return bus_signal(handler, 0);
        if (recording_has_signals() && handler != SIG_HOLD)
            handler_forget(signo);
        return handler_of_target(signo, REAL(sigset)(signo, handler));
    }
    if (handler == SIG_HOLD) {
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, signo);
        sigprocmask(SIG_BLOCK, &set, NULL);
        return own_signal(signo, (sighandler_t)(uintptr_t)chain_action()->handler, 0);
    }
    return own_signal(signo, handler, 0);
}

WRAPPER int
sigignore(int signo)
{
    if (!taken(signo)) {
        if (signo == SIGBUS && recording_has_signals())
            return bus_signal(SIG_IGN, 0) == SIG_ERR ? -1 : 0;
        if (recording_has_signals())
            handler_forget(signo);
        return REAL(sigignore)(signo);
    }
    own_signal(signo, SIG_IGN, 0);
    return 0;
}

WRAPPER int
siginterrupt(int signo, int interrupt)
{
    struct sigaction act;

    if (!taken(signo))
        return REAL(siginterrupt)(signo, interrupt);
    own_action(signo, NULL, &act);
    act.sa_flags = interrupt ? act.sa_flags & ~SA_RESTART : act.sa_flags | SA_RESTART;
    return own_action(signo, &act, NULL);
}

void
signal_deliver_held(const struct thread *t)
{
    /*
     * The thread id is asked of the kernel: this may be a child that a raw system call
     * has created, where t->tid is its parent's.
     */
    if (chain_held(t))
        chain_nudge((u32)sys_call4(SYS_gettid, 0, 0, 0, 0));
}

void
signal_jumped(const struct __jmp_buf_tag *env)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;

    if (!t || !env->__mask_was_saved || !t->blocked || t->given_up ||
        !recording_is_owner())
        return;
    t->blocked = 0;
    signal_deliver_held(t);
}

/* Change whether the target has our signal blocked in this thread. */
static void
view(struct thread *t, int how, const sigset_t *set)
{
    int member = set && sigismember(set, hit_signal) == 1;

    if (!set)
        return;
    if (member)
        __atomic_store_n(&frame_views, 1, __ATOMIC_RELAXED);
    if (how == SIG_SETMASK)
        t->blocked = (u32)member;
    else if (member)
        t->blocked = how == SIG_BLOCK;
    t->blocked_with = 0;
    if (!t->blocked)
        signal_deliver_held(t);
}

typedef int mask_function(int, const sigset_t *, sigset_t *);

/*
 * The current thread, if we keep for the target whether our signal is blocked in it;
 * NULL if only the kernel does.
 */
static struct thread *
viewed(void)
{
    struct thread *t = recording_has_signals() ? thread_self : NULL;

    return t && !t->given_up ? t : NULL;
}

static int
change_mask(mask_function *function, int how, const sigset_t *set, sigset_t *old)
{
    struct thread *t = viewed();
    sigset_t open;
    u32 before;
    int result;

    if (!t)
        return function(how, set, old);
    before = t->blocked;
    if (set && recording_in_vfork_child()) {
        /*
         * In a vfork child, change only the kernel's mask, which is its own: t->blocked
         * is its parent's.
         */
        result = function(how, set, old);
    } else if (set && how != SIG_UNBLOCK && sigismember(set, hit_signal) == 1) {
        open = *set;
        sigdelset(&open, hit_signal);
        result = function(how, &open, old);
        if (result == 0)
            view(t, how, set);
    } else {
        result = function(how, set, old);
        if (result == 0)
            view(t, how, set);
    }
    if (result == 0 && old && before)
        sigaddset(old, hit_signal);
    return result;
}

WRAPPER int
sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    return change_mask(REAL(sigprocmask), how, set, old);
}

WRAPPER int
pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    return change_mask(REAL(pthread_sigmask), how, set, old);
}

WRAPPER int
sigpending(sigset_t *set)
{
    int result = REAL(sigpending)(set);

    if (result == 0 && viewed()) {
        if (thread_self->blocked && chain_held(thread_self))
            sigaddset(set, hit_signal);
        else
            sigdelset(set, hit_signal);
    }
    return result;
}

/* 1 = we are in a handler on the thread's small alternate stack, which only we know. */
static int
is_on_small(const struct thread *t)
{
    u64 here = (u64)(uintptr_t)__builtin_frame_address(0);

    return t->alt_instead &&
           here - (u64)(uintptr_t)t->alt_told.ss_sp < t->alt_told.ss_size;
}

/*
 * Put into *old what the target has set: a thread with no alternate stack, or a small
 * one, has ours, which the target must not see.
 */
static void
stack_for_target(const struct thread *t, stack_t *old)
{
    int on = (old->ss_flags & SS_ONSTACK) | (is_on_small(t) ? SS_ONSTACK : 0);

    *old = t->alt_instead ? t->alt_told : (stack_t){ .ss_flags = SS_DISABLE };
    if (t->alt_instead)
        old->ss_flags |= on;
}

static int
can_read(const stack_t *stack)
{
    return !stack || mem_readable((u64)(uintptr_t)stack, sizeof(*stack));
}

WRAPPER int
sigaltstack(const stack_t *restrict ss, stack_t *restrict old)
{
    struct thread *t = recording_has_signals() ? thread_self : NULL;
    stack_t set, now;
    u64 mask;
    int result;

    /* If ss or old cannot be read, let the kernel refuse the call. */
    if (!t || (!ss && !old) || !can_read(ss) || !can_read(old))
        return REAL(sigaltstack)(ss, old);
    if (ss && is_on_small(t)) {
        errno = EPERM;
        return -1;
    }
    if (ss)
        set = *ss; /* *old may be the same object */
    mask = guard_enter();
    result = REAL(sigaltstack)(ss, &now);
    if (result == 0) {
        frame_note_stack(t, &now);
        if (t->alt_ours)
            stack_for_target(t, &now);
        if (old)
            *old = now;
    }
    /*
     * A vfork child has an alternate stack of its own; what is stored here is its
     * parent's.
     */
    if (result == 0 && ss && recording_in_vfork_child()) {
        handler_use_stacks();
    } else if (result == 0 && ss && set.ss_flags & SS_DISABLE) {
        t->alt_ours = t->alt_instead = 0;
        thread_alt_install(t);
    } else if (result == 0 && ss) {
        handler_use_stacks();
        thread_alt_replace(t, &set);
    }
    guard_leave(mask);
    return result;
}
