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
#include "collector/preload/own_signal.h"
#include "collector/preload/thread.h"
#include "collector/sig/chain.h"
#include "collector/sig/frame.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/mem.h"


/* 1 for a signal whose handler in the kernel must stay ours, also in a forked child. */
static int
is_ours(int signo)
{
    return own_signal_is_taken() &&
           ((signo == hit_signal && hit_is_used) ||
            (signo && (signo == hit_settings.sample_signal ||
                       signo == hit_settings.pause_signal)));
}

/* sigaction() for our own signal; the guard and its lock are held. */
static void
own_signal_action(int signo, const struct action *asked, const struct sigaction *act)
{
    if (gate_in_vfork_child()) {
        /* Change only the kernel's action: what is stored here is the parent's. */
        REAL(sigaction)(signo, act, NULL);
        return;
    }
    chain_set(asked);
    handler_update();
    own_signal_mirror_restart();
}

/*
 * sigaction() for a signal that we use. For those of -l and -y, our handler stays. *old
 * may not be what the target has passed: that is written when the guard is left.
 */
static void
own_action(int signo, const struct sigaction *act, struct sigaction *old)
{
    u64 mask = guard_enter();
    struct sigaction *kept = signo == hit_signal ? NULL : own_signal_kept(signo);
    struct action asked;

    guard_lock(&guard_action);
    if (act) {
        asked = action_from_libc(act);
        asked.flags |= ACTION_RESTORER;
    }
    if (kept) {
        *old = *kept;
    } else {
        memset(old, 0, sizeof(*old));
        action_into_libc(chain_action(), old);
    }
    if (act && !kept)
        own_signal_action(signo, &asked, act);
    else if (act && !gate_in_vfork_child())
        action_into_libc(&asked, kept);
    guard_unlock(&guard_action);
    guard_leave(mask);
}

/*
 * Will libc refuse the number, before it reads the action? The first two real-time
 * signals are its own (internal-signals.h of glibc).
 */
static int
is_refused(int signo)
{
    return signo < 1 || signo >= NSIG || signo == __SIGRTMIN || signo == __SIGRTMIN + 1;
}

/*
 * The target's objects are read before anything is changed, and written when all is
 * done: they may be the same, or bad addresses, where we crash as libc does.
 */
WRAPPER int
sigaction(int signo, const struct sigaction *restrict act,
          struct sigaction *restrict old)
{
    struct sigaction asked, before;
    int result = 0;

    if (!own_signal_is_taken() || is_refused(signo))
        return REAL(sigaction)(signo, act, old);
    if (act)
        asked = *act;
    if (is_ours(signo))
        own_action(signo, act ? &asked : NULL, &before);
    else
        result = handler_action(signo, act ? &asked : NULL, &before);
    if (result == 0 && old)
        *old = before;
    return result;
}

/* Is the signal one whose handler in the kernel is ours? For SIGBUS see bus.h. */
static int
is_kept(int signo)
{
    return is_ours(signo) || (signo == SIGBUS && own_signal_is_taken());
}

static int
kept_action(int signo, const struct sigaction *act, struct sigaction *old)
{
    if (!is_ours(signo))
        return handler_action(signo, act, old);
    own_action(signo, act, old);
    return 0;
}

/*
 * signal() and its variants, for a signal of is_kept(). flags: SA_..., as the variant
 * sets them; blocks_itself: 1 = the variant puts the signal into the handler's mask.
 */
static sighandler_t
kept_signal(int signo, sighandler_t handler, int flags, int blocks_itself)
{
    struct sigaction act, old;

    memset(&act, 0, sizeof(act));
    act.sa_handler = handler;
    act.sa_flags = flags;
    if (blocks_itself)
        sigaddset(&act.sa_mask, signo);
    return kept_action(signo, &act, &old) < 0 ? SIG_ERR : old.sa_handler;
}

/* The signals of is_kept() for which siginterrupt() was called: bits. */
static u64 interrupting;

static int
restart_of(int signo)
{
    u64 set = __atomic_load_n(&interrupting, __ATOMIC_RELAXED);

    return set & action_bit(signo) ? 0 : SA_RESTART;
}

/* signal() by any of its names. */
#define SIGNAL(name, flags, blocks_itself)                                   \
    WRAPPER sighandler_t                                                     \
    name(int signo, sighandler_t handler)                                    \
    {                                                                        \
        if (is_kept(signo) && handler != SIG_ERR)                            \
            return kept_signal(signo, handler, (int)(flags), blocks_itself); \
        if (own_signal_is_taken() && handler != SIG_ERR)                   \
            handler_forget(signo);                                           \
        return handler_of_target(signo, REAL(name)(signo, handler));         \
    }

SIGNAL(signal, restart_of(signo), 1)
SIGNAL(bsd_signal, restart_of(signo), 1)
SIGNAL(ssignal, restart_of(signo), 1)
SIGNAL(sysv_signal, SA_RESETHAND | SA_NODEFER, 0)
SIGNAL(__sysv_signal, SA_RESETHAND | SA_NODEFER, 0)

/* sigset() for a signal of is_kept(), by the same steps as libc's. */
static sighandler_t
kept_set(int signo, sighandler_t handler)
{
    struct sigaction old;
    sighandler_t had;
    sigset_t set, before;

    sigemptyset(&set);
    sigaddset(&set, signo);
    if (handler == SIG_HOLD) {
        if (kept_action(signo, NULL, &old) < 0)
            return SIG_ERR;
        had = old.sa_handler;
    } else {
        had = kept_signal(signo, handler, 0, 0);
    }
    sigprocmask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &set, &before);
    return sigismember(&before, signo) ? SIG_HOLD : had;
}

WRAPPER sighandler_t
sigset(int signo, sighandler_t handler)
{
    if (is_kept(signo))
        return kept_set(signo, handler);
    if (own_signal_is_taken() && handler != SIG_HOLD)
        handler_forget(signo);
    return handler_of_target(signo, REAL(sigset)(signo, handler));
}

WRAPPER int
sigignore(int signo)
{
    if (is_kept(signo))
        return kept_signal(signo, SIG_IGN, 0, 0) == SIG_ERR ? -1 : 0;
    if (own_signal_is_taken())
        handler_forget(signo);
    return REAL(sigignore)(signo);
}

WRAPPER int
siginterrupt(int signo, int interrupt)
{
    struct sigaction act, old;

    if (!is_kept(signo))
        return REAL(siginterrupt)(signo, interrupt);
    if (kept_action(signo, NULL, &act) < 0)
        return -1;
    if (interrupt) {
        __atomic_fetch_or(&interrupting, action_bit(signo), __ATOMIC_RELAXED);
        act.sa_flags &= ~SA_RESTART;
    } else {
        __atomic_fetch_and(&interrupting, ~action_bit(signo), __ATOMIC_RELAXED);
        act.sa_flags |= SA_RESTART;
    }
    return kept_action(signo, &act, &old);
}

void
signal_deliver_held(const struct thread *t)
{
    /*
     * Ask the kernel for the thread id: this may be a child that a raw system call has
     * created, where t->tid is its parent's.
     */
    if (chain_held(t))
        chain_nudge((u32)sys_call4(SYS_gettid, 0, 0, 0, 0));
}

void
signal_jumped(const struct __jmp_buf_tag *env)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;

    if (!t || !env->__mask_was_saved || !t->blocked || t->given_up ||
        !gate_is_owner())
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
    struct thread *t = own_signal_is_taken() ? thread_self : NULL;

    return t && !t->given_up ? t : NULL;
}

/* The kernel has changed the mask, but could not write the old one. */
static int
is_fault(int result)
{
    return result == EFAULT || (result < 0 && errno == EFAULT);
}

static int
change_mask(mask_function *function, int how, const sigset_t *set, sigset_t *old)
{
    struct thread *t = viewed();
    sigset_t asked, open;
    u32 before;
    int result;

    if (!t)
        return function(how, set, old);
    before = t->blocked;
    if (!set || gate_in_vfork_child()) {
        /*
         * In a vfork child, change only the kernel's mask, which is its own: t->blocked
         * is its parent's.
         */
        result = function(how, set, old);
    } else {
        /* *old may be the same object; libc and the kernel read only these bytes. */
        sigemptyset(&asked);
        memcpy(&asked, set, GUARD_SIGSET_BYTES);
        open = asked;
        if (how != SIG_UNBLOCK)
            sigdelset(&open, hit_signal);
        result = function(how, &open, old);
        if (result == 0 || is_fault(result))
            view(t, how, &asked);
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

/*
 * Old functions that change the mask. libc does that inside itself, without a call of
 * our sigprocmask(); so each has a wrapper that keeps t->blocked right.
 */
static int
change_one(int how, int signo)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signo);
    return change_mask(REAL(sigprocmask), how, &set, NULL);
}

WRAPPER int
sighold(int signo)
{
    if (signo != hit_signal || !viewed())
        return REAL(sighold)(signo);
    return change_one(SIG_BLOCK, signo);
}

WRAPPER int
sigrelse(int signo)
{
    if (signo != hit_signal || !viewed())
        return REAL(sigrelse)(signo);
    return change_one(SIG_UNBLOCK, signo);
}

/* The old functions know the first 32 signals, as bits of an int. */
static int
change_bits(int how, int mask)
{
    sigset_t set, old;

    sigemptyset(&set);
    set.__val[0] = (u32)mask;
    if (change_mask(REAL(sigprocmask), how, &set, &old) < 0)
        return -1;
    return (int)(u32)old.__val[0];
}

WRAPPER int
sigblock(int mask)
{
    return viewed() ? change_bits(SIG_BLOCK, mask) : REAL(sigblock)(mask);
}

WRAPPER int
sigsetmask(int mask)
{
    return viewed() ? change_bits(SIG_SETMASK, mask) : REAL(sigsetmask)(mask);
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

/*
 * 1 = we are in a handler that sig/frame.c has moved to t->alt_told, the target's own
 * alternate stack. That is too small for us, so the kernel was given ours instead.
 */
static int
is_on_small(const struct thread *t)
{
    u64 here = (u64)(uintptr_t)__builtin_frame_address(0);

    return t->alt_instead &&
           here - (u64)(uintptr_t)t->alt_told.ss_sp < t->alt_told.ss_size;
}

/*
 * Set *old to the alternate stack that the target has set: a thread with none, or a
 * small one, has ours, which the target must not see.
 */
static void
stack_for_target(const struct thread *t, stack_t *old)
{
    int on = (old->ss_flags & SS_ONSTACK) | (is_on_small(t) ? SS_ONSTACK : 0);

    *old = t->alt_instead ? t->alt_told : (stack_t){ .ss_flags = SS_DISABLE };
    if (t->alt_instead)
        old->ss_flags |= on;
}

int
signal_give(void *to, const void *from, size_t size)
{
    char *at = to;

    if (sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)(uintptr_t)at,
                  GUARD_SIGSET_BYTES) < 0 ||
        sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, 0,
                  (long)(uintptr_t)(at + size - GUARD_SIGSET_BYTES),
                  GUARD_SIGSET_BYTES) < 0) {
        errno = EFAULT;
        return -1;
    }
    memcpy(to, from, size);
    return 0;
}

WRAPPER int
sigaltstack(const stack_t *restrict ss, stack_t *restrict old)
{
    struct thread *t = own_signal_is_taken() ? thread_self : NULL;
    stack_t set, now;
    u64 mask;
    int result;

    /* If ss cannot be read, let the kernel refuse the call. */
    if (!t || (!ss && !old) ||
        (ss && !mem_readable((u64)(uintptr_t)ss, sizeof(*ss))))
        return REAL(sigaltstack)(ss, old);
    if (ss && is_on_small(t)) {
        errno = EPERM;
        return -1;
    }
    if (ss)
        set = *ss; /* *old may be the same object */
    mask = guard_enter();
    result = REAL(sigaltstack)(ss ? &set : NULL, &now);
    if (result == 0) {
        frame_set_stack(t, &now);
        if (t->alt_ours)
            stack_for_target(t, &now);
    }
    /*
     * A vfork child has an alternate stack of its own; what is stored here is its
     * parent's.
     */
    if (result == 0 && ss && gate_in_vfork_child()) {
        handler_use_stacks();
    } else if (result == 0 && ss && set.ss_flags & SS_DISABLE) {
        t->alt_ours = t->alt_instead = 0;
        thread_alt_install(t);
    } else if (result == 0 && ss) {
        handler_use_stacks();
        thread_alt_replace(t, &set);
    }
    guard_leave(mask);
    /* As in the kernel, the stack is changed even if *old cannot be written. */
    return result == 0 && old ? signal_give(old, &now, sizeof(now)) : result;
}
