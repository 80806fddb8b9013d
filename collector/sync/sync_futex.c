/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks that do not come from libc, and wait by the system call futex(). If the word
 * contains its owner's id, as the kernel requires of PI futexes, the owner is recorded
 * as the holder. Otherwise the holder is the thread that woke the waiting one, with the
 * stack from which it did so.
 */
#include <dlfcn.h>
#include <errno.h>

#include "collector/hook/futex.h"
#include "collector/libc/real.h"
#include "collector/sig/sys.h"
#include "collector/sync/sync_record.h"

enum { ROWS = 1024 };

/* The last wake of an address. */
struct wake {
    u64 object; /* 0 while the row is written */
    u64 ticks;
    u32 thread;
    u32 node;
};

static struct wake wakes[ROWS];
static futex_call *found;
long sync_futex(long number, long a, long b, long c, long d, long e, long f)
    __attribute__((used, visibility("hidden")));

void *
sync_real_syscall(void)
{
    if (!found)
        found = (futex_call *)dlsym(RTLD_NEXT, "syscall");
    return (void *)found;
}

static struct wake *
row_of(u64 object)
{
    return &wakes[(object >> 2) * 0x9e3779b97f4a7c15ull >> 54];
}

_Static_assert(ROWS == 1 << (64 - 54), "row_of()");

/*
 * Keep who wakes the waiters of an object. Called before the system call, since the
 * woken thread may run before the call returns.
 */
static void
record_wake(u64 object, u32 thread, u32 node)
{
    struct wake *w = row_of(object);

    __atomic_store_n(&w->object, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&w->thread, thread, __ATOMIC_RELAXED);
    __atomic_store_n(&w->node, node, __ATOMIC_RELAXED);
    __atomic_store_n(&w->ticks, trace_before(), __ATOMIC_RELAXED);
    __atomic_store_n(&w->object, object, __ATOMIC_RELEASE);
}

/*
 * If the last wake of the object came during this wait, set the thread that woke as the
 * holder.
 */
static void
find_wake(struct sync_request *ask)
{
    const struct wake *w = row_of(ask->object);
    u64 object = __atomic_load_n(&w->object, __ATOMIC_ACQUIRE);
    u64 ticks = __atomic_load_n(&w->ticks, __ATOMIC_RELAXED);
    u32 thread = __atomic_load_n(&w->thread, __ATOMIC_RELAXED);
    u32 node = __atomic_load_n(&w->node, __ATOMIC_RELAXED);

    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (object != ask->object || ticks < ask->before ||
        __atomic_load_n(&w->object, __ATOMIC_RELAXED) != object)
        return;
    ask->holder = thread;
    ask->holder_node = node;
}

/*
 * Set the owner as the holder, if the word contains its id. That is so for PI futexes,
 * by the kernel's rules, and for words of robust lists. Other words are taken for these
 * if FUTEX_WAITERS is set.
 */
static void
find_owner(struct sync_request *ask, long operation)
{
    const u32 *word = (const u32 *)(uintptr_t)ask->object;
    int is_pi = (operation & FUTEX_CMD_MASK) != FUTEX_WAIT &&
                (operation & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET;
    const struct sync_thread *t;
    u32 value;

    if (!sys_readable(ask->object & ~7ull))
        return;
    value = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (!is_pi && !(value & FUTEX_WAITERS))
        return;
    t = sync_thread_by_tid(value & FUTEX_TID_MASK);
    if (t)
        ask->holder = t->id;
}

static int
error_of(long result)
{
    return result < 0 ? errno : 0;
}

static long
wake(futex_call *next, const struct walk_start *start, long number, const long args[6])
{
    u64 object = (u64)args[0];
    u32 node = 0, thread = 0;

    if (trace_is_on())
        thread = sync_waker(start, &node);
    if (thread)
        record_wake(object, thread, node);
    return next(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}

/* Replaces syscall(SYS_futex). */
long
sync_futex(long number, long a, long b, long c, long d, long e, long f)
{
    futex_call *next = (futex_call *)sync_real_syscall();
    const long args[6] = { a, b, c, d, e, f };
    struct walk_start start;
    struct sync_request ask;
    long result;

    SYNC_MAY_UNWIND;
    if (futex_wakes(b)) {
        TRACE_CAPTURE(&start);
        return wake(next, &start, number, args);
    }
    if (!futex_waits(b) || !SYNC_REQUEST(&ask, SYNC_FUTEX, a))
        return next(number, a, b, c, d, e, f);
    find_owner(&ask, b);
    sync_waits(&ask);
    result = next(number, a, b, c, d, e, f);
    /*
     * A result other than 0 may mean that the word had changed before the call: then
     * there was no wait.
     */
    if (result == 0 && !ask.holder)
        find_wake(&ask);
    sync_done(&ask, error_of(result));
    return result;
}

FUTEX_SYSCALL(sync_futex, sync_real_syscall);
