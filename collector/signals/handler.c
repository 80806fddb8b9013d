/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/signals/handler.h"

#include "collector/signals/bus.h"
#include "collector/hook/real.h"
#include "collector/preload/guard.h"
#include "collector/preload/recording.h"
#include "collector/preload/thread.h"
#include "collector/sig/chain.h"
#include "collector/sig/frame.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit.h"

/* Bit n - 1 = signal n: flags that the target has set, and the kernel has not. */
static u64 unstacked; /* SA_ONSTACK */
static u64 plain;     /* SA_SIGINFO is ours: see route_through_frame() */

static u64
bit_of(int signo)
{
    return signo >= 1 && signo <= 64 ? 1ull << (signo - 1) : 0;
}

static void
put_bit(u64 *bits, u64 bit, int set)
{
    if (set)
        __atomic_fetch_or(bits, bit, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(bits, ~bit, __ATOMIC_RELAXED);
}

static int
has_bit(const u64 *bits, u64 bit)
{
    return (__atomic_load_n(bits, __ATOMIC_RELAXED) & bit) != 0;
}

static int
is_function(const void *handler)
{
    return handler != (void *)SIG_DFL && handler != (void *)SIG_IGN;
}

/*
 * sig_frame() calls handlers that run on an alternate stack, since it knows the
 * target's stack. It also calls those that get the interrupted mask, or that block our
 * signal, since they may compare masks. Exceptions: SIGBUS (bus.c), and Go, whose
 * handlers run on our stacks with Go's own masks.
 */
static void
route_through_frame(int signo, struct sigaction *act, int masked)
{
    if (signo == SIGBUS || thread_alt_shared ||
        (!(act->sa_flags & (SA_ONSTACK | SA_SIGINFO)) && !masked) ||
        !is_function((void *)(uintptr_t)act->sa_handler) ||
        act->sa_sigaction == sig_frame)
        return;
    __atomic_store_n(&frame_handlers[signo], (void *)(uintptr_t)act->sa_handler,
                     __ATOMIC_RELEASE);
    /*
     * A handler that replaces another one at this moment gets the arguments it expects.
     */
    put_bit(&plain, bit_of(signo), !(act->sa_flags & SA_SIGINFO));
    act->sa_flags |= SA_SIGINFO;
    act->sa_sigaction = sig_frame;
}

/* Change *now, the kernel's action, to the one that the target set. */
static void
as_target_set(struct sigaction *now, void *handler, int is_plain)
{
    int is_ours = now->sa_sigaction == sig_frame;

    /* SA_RESETHAND leaves the flags. */
    if (is_plain && (is_ours || now->sa_handler == SIG_DFL))
        now->sa_flags &= ~SA_SIGINFO;
    if (is_ours)
        now->sa_handler = (sighandler_t)(uintptr_t)handler;
}

static int
change(int signo, const struct sigaction *act, struct sigaction *old)
{
    u64 bit = bit_of(signo);
    int was_plain = has_bit(&plain, bit);
    int was_masked = has_bit(&frame_masked, bit);
    int was_stacked = has_bit(&unstacked, bit);
    int mine = act && bit && !recording_in_vfork_child();
    void *handler = bit ? frame_handlers[signo] : NULL;
    int unmask = 0, unstack = 0, result;
    struct sigaction open;

    if (mine) {
        open = *act;
        act = &open;
        unmask = hit_is_used && !is_function(chain_action()->handler) &&
                 sigismember(&open.sa_mask, hit_signal) == 1;
        unstack = !thread_no_alt && !thread_alt_shared && open.sa_flags & SA_ONSTACK;
        if (unmask) {
            sigdelset(&open.sa_mask, hit_signal);
            __atomic_store_n(&frame_views, 1, __ATOMIC_RELAXED);
        }
        if (unstack)
            open.sa_flags &= ~SA_ONSTACK;
        put_bit(&plain, bit, 0);
        route_through_frame(signo, &open, unmask);
    }
    result = bus_sigaction(signo, act, old);
    if (result < 0)
        return result;
    if (old)
        as_target_set(old, handler, was_plain);
    if (old && was_masked)
        sigaddset(&old->sa_mask, hit_signal);
    if (old && was_stacked)
        old->sa_flags |= SA_ONSTACK;
    if (mine) {
        put_bit(&frame_masked, bit, unmask);
        put_bit(&unstacked, bit, unstack);
    }
    return result;
}

/* Change the kernel's action and what is kept of the target's together. */
int
handler_action(int signo, const struct sigaction *act, struct sigaction *old)
{
    u64 mask;
    int result;

    if (!gate_is_open() || gate_limited || recording_in_vfork_child())
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
    struct sigaction action = { .sa_handler = had };

    if (bit_of(signo))
        as_target_set(&action, frame_handlers[signo], 0);
    return action.sa_handler;
}

void
handler_forget(int signo)
{
    if (recording_in_vfork_child())
        return;
    put_bit(&plain, bit_of(signo), 0);
    put_bit(&frame_masked, bit_of(signo), 0);
    put_bit(&unstacked, bit_of(signo), 0);
}

/* Give the kernel the flags that were kept back. */
static void
put_back(u64 *bits, int masks)
{
    u64 left = __atomic_exchange_n(bits, 0, __ATOMIC_ACQ_REL);

    for (int signo = 1; left; signo++, left >>= 1) {
        struct sigaction now;

        if (!(left & 1) || REAL(sigaction)(signo, NULL, &now) < 0)
            continue;
        if (masks)
            sigaddset(&now.sa_mask, hit_signal);
        else
            now.sa_flags |= SA_ONSTACK;
        if (!masks && signo == SIGBUS)
            bus_use_stack();
        else if (!masks)
            route_through_frame(signo, &now, 0);
        REAL(sigaction)(signo, &now, NULL);
    }
}

void
handler_use_masks(void)
{
    put_back(&frame_masked, 1);
}

void
handler_use_stacks(void)
{
    thread_no_alt = 1;
    put_back(&unstacked, 0);
}

void
handler_share_stacks(void)
{
    thread_alt_shared = 1;
    put_back(&unstacked, 0);
}

void
handler_give_back(void)
{
    put_back(&frame_masked, 1);
    put_back(&unstacked, 0);
    for (int signo = 1; signo <= 64; signo++) {
        struct sigaction now;

        if (!frame_handlers[signo] || REAL(sigaction)(signo, NULL, &now) < 0 ||
            now.sa_sigaction != sig_frame)
            continue;
        as_target_set(&now, frame_handlers[signo], has_bit(&plain, bit_of(signo)));
        REAL(sigaction)(signo, &now, NULL);
    }
}
