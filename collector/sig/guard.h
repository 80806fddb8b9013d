/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections of normal context in which no handler but that of SIGBUS can run on this
 * thread. Raw system calls, so that the target's errno and our own wrappers stay out of
 * it.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_GUARD_H
#define ERTOOLS_COLLECTOR_SIG_GUARD_H

#include <signal.h>
#include <time.h>

#include "collector/sig/sys.h"
#include "share/types.h"

enum {
    GUARD_SIGSET_BYTES = 8, /* the kernel's sigset_t */
};

/*
 * Block every signal but SIGBUS (blocked, it would kill the process; sig/bus.h).
 * Returns the mask that guard_leave() needs.
 */
static inline u64
guard_enter(void)
{
    u64 all = ~(1ull << (SIGBUS - 1)), before = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&all,
              (long)(uintptr_t)&before, GUARD_SIGSET_BYTES);
    return before;
}

static inline void
guard_leave(u64 before)
{
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&before, 0,
              GUARD_SIGSET_BYTES);
}

/*
 * If our write exceeds the target's limit of file sizes, it raises SIGXFSZ. Call these
 * two around such writes, inside a guard: the first returns whether the signal was
 * pending before; if it was not, the second removes the one that our write has raised.
 */
static inline int
guard_xfsz_pending(void)
{
    u64 pending = 0;

    sys_call4(SYS_rt_sigpending, (long)(uintptr_t)&pending, GUARD_SIGSET_BYTES, 0, 0);
    return (pending >> (SIGXFSZ - 1) & 1) != 0;
}

static inline void
guard_xfsz_drain(int before)
{
    u64 set = 1ull << (SIGXFSZ - 1);
    struct timespec none = { 0, 0 };

    if (!before && guard_xfsz_pending())
        sys_call4(SYS_rt_sigtimedwait, (long)(uintptr_t)&set, 0,
                  (long)(uintptr_t)&none, GUARD_SIGSET_BYTES);
}

/* A lock for short sections of normal context, inside a guard. All zero = free. */
struct guard_lock {
    u32 word;
};

static inline void
guard_lock(struct guard_lock *lock)
{
    while (__atomic_exchange_n(&lock->word, 1, __ATOMIC_ACQUIRE))
        sys_call4(SYS_sched_yield, 0, 0, 0, 0);
}

/*
 * Try for some 20 ms to take the lock: for callers that hold a lock for which the
 * holder may wait. 1, or 0 without the lock.
 */
static inline int
guard_try(struct guard_lock *lock)
{
    enum { TRIES = 200, QUICK = 100 };
    struct timespec pause = { 0, 200000 };

    for (int i = 0; i < TRIES; i++) {
        if (!__atomic_exchange_n(&lock->word, 1, __ATOMIC_ACQUIRE))
            return 1;
        if (i < QUICK)
            sys_call4(SYS_sched_yield, 0, 0, 0, 0);
        else
            sys_call4(SYS_nanosleep, (long)(uintptr_t)&pause, 0, 0, 0);
    }
    return 0;
}

/* The locks, and whose state they protect. */
extern struct guard_lock guard_map;           /* preload/map.c */
extern struct guard_lock guard_made;          /* preload/made.c */
extern struct guard_lock guard_stray;         /* preload/trace_slow.c */
extern struct guard_lock guard_room;          /* preload/room.c */
extern struct guard_lock guard_thread_starts; /* hook/thread.c */
extern struct guard_lock guard_action;        /* action/handler.c */
extern struct guard_lock guard_callers;       /* hook/shell.c */
extern struct guard_lock guard_threads;       /* preload/thread.c */
extern struct guard_lock guard_late;          /* preload/expt.c */
/* preload/thread_key.c; held: the key is not given to the target */
extern struct guard_lock guard_thread_key;

enum {
    GUARD_LOCKS = 10,
};

/* All these locks, in the order in which they are taken; a fork takes all. */
extern struct guard_lock *const guard_locks[GUARD_LOCKS];

static inline void
guard_unlock(struct guard_lock *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}

#endif
