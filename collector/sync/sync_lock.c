/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes, including those of C11, and spin locks. */
#include <errno.h>
#include <sys/single_threaded.h>

#include "collector/libc/real.h"
#include "collector/sync/sync_real.h"
#include "collector/sync/sync_record.h"
#include "collector/sync/sync_c11.h"

/* Bits in the member __kind of glibc's mutexes. */
enum {
    ROBUST = 16,
    INHERIT = 32,
    PROTECT = 64,
    SHARED = 128,
};

static inline int
is(const pthread_mutex_t *m, int bits)
{
    return __atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED) & bits;
}

/*
 * May trylock be called first? Not if it behaves differently: for example, glibc 2.36
 * leaves an unrecoverable robust mutex locked after trylock, and not after lock.
 */
static inline int
can_try(const pthread_mutex_t *m)
{
    return !is(m, ROBUST | INHERIT | PROTECT);
}

/*
 * Acquire a lock if it is free. In a process with one thread, nobody else can hold it
 * (unless it is shared), so lock it: libc then needs no atomic operations.
 */
static inline int
lock_quickly(pthread_mutex_t *m)
{
    if (__libc_single_threaded && !is(m, SHARED))
        return sync_real.pthread_mutex_lock(m);
    return sync_real.pthread_mutex_trylock(m);
}

SYNC_HOOK int
lock_untried(pthread_mutex_t *m)
{
    return SYNC_WAITED(SYNC_MUTEX, m, SYNC_REAL(pthread_mutex_lock)(m));
}

SYNC_HOOK int
lock(pthread_mutex_t *m)
{
    return SYNC_ASKED(SYNC_MUTEX, m, SYNC_REAL(pthread_mutex_trylock)(m),
                      SYNC_REAL(pthread_mutex_lock)(m));
}

WRAPPER int
pthread_mutex_lock(pthread_mutex_t *m)
{
    struct sync_thread *self;

    if (ER_UNLIKELY(!can_try(m)))
        return lock_untried(m);
    self = sync_quick_for(m);
    if (ER_UNLIKELY(!self) || ER_UNLIKELY(lock_quickly(m)))
        return lock(m);
    sync_acquired(self, m, SYNC_MUTEX, SYNC_PC);
    return 0;
}

SYNC_HOOK int
try_lock(pthread_mutex_t *m)
{
    return SYNC_TRIED(SYNC_MUTEX, m, SYNC_REAL(pthread_mutex_trylock)(m));
}

WRAPPER int
pthread_mutex_trylock(pthread_mutex_t *m)
{
    struct sync_thread *self = sync_quick();
    int error;

    if (ER_UNLIKELY(!self))
        return try_lock(m);
    error = sync_real.pthread_mutex_trylock(m);
    if (!error || error == EOWNERDEAD)
        sync_acquired(self, m, SYNC_MUTEX, SYNC_PC);
    else
        ++*self->calls;
    return error;
}

WRAPPER int
pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    if (!can_try(m))
        return SYNC_WAITED(SYNC_MUTEX, m, SYNC_REAL(pthread_mutex_timedlock)(m, until));
    return SYNC_ASKED(SYNC_MUTEX, m, SYNC_REAL(pthread_mutex_trylock)(m),
                      SYNC_REAL(pthread_mutex_timedlock)(m, until));
}

WRAPPER int
pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                        const struct timespec *until)
{
    if (!sync_has_clock(clock))
        return SYNC_REAL(pthread_mutex_clocklock)(m, clock, until);
    if (!can_try(m))
        return SYNC_WAITED(SYNC_MUTEX, m,
                           SYNC_REAL(pthread_mutex_clocklock)(m, clock, until));
    return SYNC_ASKED(SYNC_MUTEX, m, SYNC_REAL(pthread_mutex_trylock)(m),
                      SYNC_REAL(pthread_mutex_clocklock)(m, clock, until));
}

WRAPPER int
pthread_mutex_unlock(pthread_mutex_t *m)
{
    struct sync_thread *self = sync_quick();

    if (ER_UNLIKELY(!self))
        return SYNC_GIVEN_BACK(m, SYNC_REAL(pthread_mutex_unlock)(m));
    sync_remove(self, m);
    return sync_real.pthread_mutex_unlock(m);
}

WRAPPER int
pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    sync_renew(m, SYNC_MUTEX);
    return SYNC_REAL(pthread_mutex_init)(m, attr);
}

WRAPPER int
pthread_mutex_destroy(pthread_mutex_t *m)
{
    sync_renew(m, SYNC_MUTEX);
    return SYNC_REAL(pthread_mutex_destroy)(m);
}

SYNC_HOOK int
lock_c11(mtx_t *m)
{
    return c11_result(SYNC_ASKED(SYNC_MUTEX, m, c11_error(SYNC_REAL(mtx_trylock)(m)),
                                 c11_error(SYNC_REAL(mtx_lock)(m))));
}

WRAPPER int
mtx_lock(mtx_t *m)
{
    struct sync_thread *self = sync_quick_for(m);

    if (ER_UNLIKELY(!self) || ER_UNLIKELY(sync_real.mtx_trylock(m) != thrd_success))
        return lock_c11(m);
    sync_acquired(self, m, SYNC_MUTEX, SYNC_PC);
    return thrd_success;
}

WRAPPER int
mtx_trylock(mtx_t *m)
{
    return c11_result(
        SYNC_TRIED(SYNC_MUTEX, m, c11_error(SYNC_REAL(mtx_trylock)(m))));
}

WRAPPER int
mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
    return c11_result(SYNC_ASKED(SYNC_MUTEX, m, c11_error(SYNC_REAL(mtx_trylock)(m)),
                                 c11_error(SYNC_REAL(mtx_timedlock)(m, until))));
}

WRAPPER int
mtx_unlock(mtx_t *m)
{
    struct sync_thread *self = sync_quick();

    if (ER_UNLIKELY(!self))
        return SYNC_GIVEN_BACK(m, SYNC_REAL(mtx_unlock)(m));
    sync_remove(self, m);
    return sync_real.mtx_unlock(m);
}

WRAPPER int
mtx_init(mtx_t *m, int type)
{
    sync_renew(m, SYNC_MUTEX);
    return SYNC_REAL(mtx_init)(m, type);
}

WRAPPER void
mtx_destroy(mtx_t *m)
{
    sync_renew(m, SYNC_MUTEX);
    SYNC_REAL(mtx_destroy)(m);
}

SYNC_HOOK int
lock_spin(pthread_spinlock_t *l)
{
    return SYNC_ASKED(SYNC_SPIN, l, SYNC_REAL(pthread_spin_trylock)(l),
                      SYNC_REAL(pthread_spin_lock)(l));
}

WRAPPER int
pthread_spin_lock(pthread_spinlock_t *l)
{
    struct sync_thread *self = sync_quick_for(l);

    if (ER_UNLIKELY(!self) || ER_UNLIKELY(sync_real.pthread_spin_trylock(l)))
        return lock_spin(l);
    sync_acquired(self, l, SYNC_SPIN, SYNC_PC);
    return 0;
}

WRAPPER int
pthread_spin_trylock(pthread_spinlock_t *l)
{
    return SYNC_TRIED(SYNC_SPIN, l, SYNC_REAL(pthread_spin_trylock)(l));
}

WRAPPER int
pthread_spin_unlock(pthread_spinlock_t *l)
{
    struct sync_thread *self = sync_quick();

    if (ER_UNLIKELY(!self))
        return SYNC_GIVEN_BACK(l, SYNC_REAL(pthread_spin_unlock)(l));
    sync_remove(self, l);
    return sync_real.pthread_spin_unlock(l);
}

WRAPPER int
pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    sync_renew(l, SYNC_SPIN);
    return SYNC_REAL(pthread_spin_init)(l, shared);
}

WRAPPER int
pthread_spin_destroy(pthread_spinlock_t *l)
{
    sync_renew(l, SYNC_SPIN);
    return SYNC_REAL(pthread_spin_destroy)(l);
}
