/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. */
#include "collector/libc/real.h"
#include "collector/sync/sync_real.h"
#include "collector/sync/sync_record.h"

SYNC_HOOK int
lock_read(pthread_rwlock_t *l)
{
    return SYNC_ASKED(SYNC_READ, l, SYNC_REAL(pthread_rwlock_tryrdlock)(l),
                      SYNC_REAL(pthread_rwlock_rdlock)(l));
}

WRAPPER int
pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    struct sync_thread *self = sync_quick_for(l);

    if (ER_UNLIKELY(!self) || ER_UNLIKELY(sync_real.pthread_rwlock_tryrdlock(l)))
        return lock_read(l);
    sync_acquired(self, l, SYNC_READ, SYNC_PC);
    return 0;
}

WRAPPER int
pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    return SYNC_TRIED(SYNC_READ, l, SYNC_REAL(pthread_rwlock_tryrdlock)(l));
}

WRAPPER int
pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    if (!sync_may_try(CLOCK_REALTIME, until))
        return SYNC_REAL(pthread_rwlock_timedrdlock)(l, until);
    return SYNC_ASKED(SYNC_READ, l, SYNC_REAL(pthread_rwlock_tryrdlock)(l),
                      SYNC_REAL(pthread_rwlock_timedrdlock)(l, until));
}

WRAPPER int
pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                           const struct timespec *until)
{
    if (!sync_may_try(clock, until))
        return SYNC_REAL(pthread_rwlock_clockrdlock)(l, clock, until);
    return SYNC_ASKED(SYNC_READ, l, SYNC_REAL(pthread_rwlock_tryrdlock)(l),
                      SYNC_REAL(pthread_rwlock_clockrdlock)(l, clock, until));
}

SYNC_HOOK int
lock_write(pthread_rwlock_t *l)
{
    return SYNC_ASKED(SYNC_WRITE, l, SYNC_REAL(pthread_rwlock_trywrlock)(l),
                      SYNC_REAL(pthread_rwlock_wrlock)(l));
}

WRAPPER int
pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    struct sync_thread *self = sync_quick_for(l);

    if (ER_UNLIKELY(!self) || ER_UNLIKELY(sync_real.pthread_rwlock_trywrlock(l)))
        return lock_write(l);
    sync_acquired(self, l, SYNC_WRITE, SYNC_PC);
    return 0;
}

WRAPPER int
pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    return SYNC_TRIED(SYNC_WRITE, l, SYNC_REAL(pthread_rwlock_trywrlock)(l));
}

WRAPPER int
pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    if (!sync_may_try(CLOCK_REALTIME, until))
        return SYNC_REAL(pthread_rwlock_timedwrlock)(l, until);
    return SYNC_ASKED(SYNC_WRITE, l, SYNC_REAL(pthread_rwlock_trywrlock)(l),
                      SYNC_REAL(pthread_rwlock_timedwrlock)(l, until));
}

WRAPPER int
pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                           const struct timespec *until)
{
    if (!sync_may_try(clock, until))
        return SYNC_REAL(pthread_rwlock_clockwrlock)(l, clock, until);
    return SYNC_ASKED(SYNC_WRITE, l, SYNC_REAL(pthread_rwlock_trywrlock)(l),
                      SYNC_REAL(pthread_rwlock_clockwrlock)(l, clock, until));
}

WRAPPER int
pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    struct sync_thread *self = sync_quick();

    if (ER_UNLIKELY(!self))
        return SYNC_GIVEN_BACK(l, SYNC_REAL(pthread_rwlock_unlock)(l));
    sync_remove(self, l);
    return sync_real.pthread_rwlock_unlock(l);
}

WRAPPER int
pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
    sync_renew(l, SYNC_WRITE);
    return SYNC_REAL(pthread_rwlock_init)(l, attr);
}

WRAPPER int
pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    sync_renew(l, SYNC_WRITE);
    return SYNC_REAL(pthread_rwlock_destroy)(l);
}
