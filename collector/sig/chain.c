/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/chain.h"

#include "collector/sig/hit_settings.h"
#include "collector/sig/sys.h"

enum {
    ACTIONS = 64, /* number of changes for which an old action stays readable */
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

void
chain_hold(struct thread *t, const siginfo_t *info)
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
