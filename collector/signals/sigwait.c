/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that wait for signals, or wait with another mask. The target's own signals
 * of our number are stored by sig/chain.c. While a thread waits for them, our signal is
 * blocked in the kernel, and its clocks do not run.
 */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>

#include "collector/libc/real.h"
#include "collector/signals/signal.h"
#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/own_signal.h"
#include "collector/preload/thread.h"
#include "collector/sig/chain.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit.h"
#include "collector/sig/mem.h"
#include "share/fmt.h"

enum { NS = 1000000000 };

/*
 * Is there a set of signals? One that cannot be read is for the kernel, which returns
 * EFAULT.
 */
static int
is_set(const sigset_t *set)
{
    return set && mem_readable((u64)(uintptr_t)set, sizeof(u64));
}

/* Will the kernel accept the time limit? NULL: there is none. */
static int
is_limit(const struct timespec *limit)
{
    return !limit || (mem_readable((u64)(uintptr_t)limit, sizeof(*limit)) &&
                      limit->tv_sec >= 0 && (u64)limit->tv_nsec < NS);
}

/*
 * The calling thread, if our signal is in the set, so that the kernel alone cannot
 * serve the call; NULL if not, or if the thread has given up our signal.
 */
static struct thread *
concerned(const sigset_t *set)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;

    if (!t || t->given_up || !is_set(set) || sigismember(set, hit_signal) != 1)
        return NULL;
    return gate_is_owner() ? t : NULL;
}

/* When a wait with this limit ends. For ever is often LONG_MAX seconds. */
static u64
end_of(const struct timespec *limit)
{
    const u64 most = 1ull << 62; /* ns */
    u64 ns;

    if (__builtin_mul_overflow((u64)limit->tv_sec, NS, &ns) || ns > most)
        ns = most;
    return clock_mono() + ns + (u64)limit->tv_nsec;
}

static struct timespec
until(u64 end)
{
    u64 now = clock_mono();
    u64 left = end > now ? end - now : 0;

    return (struct timespec){ (time_t)(left / NS), (long)(left % NS) };
}

/* sigtimedwait() for a set with our signal in it, which is blocked in the kernel. */
static int
wait_for(struct thread *t, const sigset_t *set, siginfo_t *info,
         const struct timespec *timeout)
{
    u64 end = timeout ? end_of(timeout) : 0;
    struct timespec left;
    int got;

    for (;;) {
        __atomic_store_n(&chain_waiter, t->tid, __ATOMIC_SEQ_CST);
        if (chain_pop(t, info))
            return hit_signal;
        if (timeout)
            left = until(end);
        got = REAL(sigtimedwait)(set, info, timeout ? &left : NULL);
        if (got != hit_signal || !sig_is_ours(t, info))
            return got;
    }
}

static int
wait_as_target(struct thread *t, const sigset_t *set, siginfo_t *info,
               const struct timespec *timeout)
{
    u64 mask = own_signal_hold();
    siginfo_t found;
    int got, error;

    got = wait_for(t, set, &found, timeout);
    error = errno;
    __atomic_store_n(&chain_waiter, 0, __ATOMIC_SEQ_CST);
    own_signal_release(mask);
    errno = error;
    if (got > 0 && info && signal_give(info, &found, sizeof(found)) < 0)
        return -1;
    return got;
}

WRAPPER int
sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
             const struct timespec *restrict timeout)
{
    struct thread *t = concerned(set);

    if (!t || !is_limit(timeout))
        return REAL(sigtimedwait)(set, info, timeout);
    return wait_as_target(t, set, info, timeout);
}

WRAPPER int
sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    struct thread *t = concerned(set);

    return t ? wait_as_target(t, set, info, NULL) : REAL(sigwaitinfo)(set, info);
}

WRAPPER int
sigwait(const sigset_t *restrict set, int *restrict signo)
{
    struct thread *t = concerned(set);
    int got, saved = errno;

    if (!t)
        return REAL(sigwait)(set, signo);
    do
        got = wait_as_target(t, set, NULL, NULL);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        *signo = got;
    got = got > 0 ? 0 : errno;
    errno = saved;
    return got;
}

static void
report_given_up(const struct thread *t)
{
    char number[24];
    struct fmt f = fmt_start(number, sizeof(number) - 1);

    fmt_u64(&f, t->id);
    *f.at = 0;
    expt_event(EVENT_given_up, number, NULL, NULL, 0);
}

WRAPPER int
signalfd(int fd, const sigset_t *set, int flags)
{
    struct thread *t = concerned(set);
    int result = REAL(signalfd)(fd, set, flags);

    if (t && result >= 0 && own_signal_move(set) < 0 && t->blocked) {
        thread_suspend_signal(t);
        __atomic_store_n(&chain_reader, t->tid, __ATOMIC_RELEASE);
        report_given_up(t);
    }
    return result;
}

/*
 * State of a call that waits with another mask. There is work for us only if the thread
 * has our signal blocked, the other mask unblocks it, and the target has a handler for
 * it.
 */
struct other_mask {
    struct thread *t; /* NULL = nothing to do */
    u64 held;
};

static struct other_mask
other_mask_enter(const sigset_t *mask)
{
    struct other_mask o = { gate_is_open() ? thread_self : NULL, 0 };

    if (!o.t || o.t->given_up || !o.t->blocked || !is_set(mask) ||
        !action_is_function(chain_action()->handler) ||
        sigismember(mask, hit_signal) == 1)
        return (struct other_mask){ NULL, 0 };
    o.held = own_signal_hold();
    o.t->blocked = 0;
    signal_deliver_held(o.t);
    return o;
}

static void
other_mask_leave(const struct other_mask *o)
{
    int saved = errno;

    if (!o->t)
        return;
    o->t->blocked = 1;
    own_signal_release(o->held);
    errno = saved;
}

WRAPPER int
sigsuspend(const sigset_t *mask)
{
    struct other_mask o = other_mask_enter(mask);
    int result = REAL(sigsuspend)(mask);

    other_mask_leave(&o);
    return result;
}

/* sigpause() of X/Open. For our signal, libc would not know whether it is blocked. */
WRAPPER int
__xpg_sigpause(int signo)
{
    sigset_t mask;

    if (signo != hit_signal || !own_signal_is_taken())
        return REAL(__xpg_sigpause)(signo);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    sigdelset(&mask, signo);
    return sigsuspend(&mask);
}

WRAPPER int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
      const sigset_t *mask)
{
    struct other_mask o = other_mask_enter(mask);
    int result = REAL(ppoll)(fds, count, timeout, mask);

    other_mask_leave(&o);
    return result;
}

WRAPPER int
pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
        const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    struct other_mask o = other_mask_enter(mask);
    int result = REAL(pselect)(count, in, out, except, timeout, mask);

    other_mask_leave(&o);
    return result;
}

WRAPPER int
epoll_pwait(int fd, struct epoll_event *events, int count, int timeout,
            const sigset_t *mask)
{
    struct other_mask o = other_mask_enter(mask);
    int result = REAL(epoll_pwait)(fd, events, count, timeout, mask);

    other_mask_leave(&o);
    return result;
}
