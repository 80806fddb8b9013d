/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores and file locks: functions that return their error in errno. */
#include <errno.h>
#include <stdarg.h>

#include "collector/libc/real.h"
#include "collector/sync/sync_real.h"
#include "collector/sync/sync_record.h"
#include "collector/sig/sys.h"

static int
error_of(int result)
{
    return result < 0 ? errno : 0;
}

/*
 * The result for a function that returns its error in errno. On success, errno is
 * restored, since the try may have changed it.
 */
static int
result_of(int error, int saved)
{
    errno = error ? error : saved;
    return error ? -1 : 0;
}

/*
 * Try first, but test for a cancellation: sem_wait() is a cancellation point even if
 * the semaphore is free.
 */
WRAPPER int
sem_wait(sem_t *s)
{
    int saved = errno;

    pthread_testcancel();
    return result_of(SYNC_ASKED(SYNC_SEMAPHORE, s, error_of(SYNC_REAL(sem_trywait)(s)),
                                error_of(SYNC_REAL(sem_wait)(s))),
                     saved);
}

WRAPPER int
sem_trywait(sem_t *s)
{
    int saved = errno;

    return result_of(
        SYNC_TRIED(SYNC_SEMAPHORE, s, error_of(SYNC_REAL(sem_trywait)(s))), saved);
}

WRAPPER int
sem_timedwait(sem_t *s, const struct timespec *until)
{
    int saved = errno;

    if (!sync_may_try(CLOCK_REALTIME, until))
        return SYNC_REAL(sem_timedwait)(s, until);
    pthread_testcancel();
    return result_of(SYNC_ASKED(SYNC_SEMAPHORE, s, error_of(SYNC_REAL(sem_trywait)(s)),
                                error_of(SYNC_REAL(sem_timedwait)(s, until))),
                     saved);
}

WRAPPER int
sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    int saved = errno;

    if (!sync_may_try(clock, until))
        return SYNC_REAL(sem_clockwait)(s, clock, until);
    pthread_testcancel();
    return result_of(SYNC_ASKED(SYNC_SEMAPHORE, s, error_of(SYNC_REAL(sem_trywait)(s)),
                                error_of(SYNC_REAL(sem_clockwait)(s, clock, until))),
                     saved);
}

WRAPPER int
sem_init(sem_t *s, int shared, unsigned value)
{
    sync_renew(s, SYNC_SEMAPHORE);
    return SYNC_REAL(sem_init)(s, shared, value);
}

WRAPPER int
sem_destroy(sem_t *s)
{
    sync_renew(s, SYNC_SEMAPHORE);
    return SYNC_REAL(sem_destroy)(s);
}

WRAPPER int
sem_close(sem_t *s)
{
    sync_renew(s, SYNC_SEMAPHORE);
    return SYNC_REAL(sem_close)(s);
}

WRAPPER int
flock(int fd, int what)
{
    int saved = errno;

    if (what & LOCK_UN)
        return SYNC_REAL(flock)(fd, what);
    if (what & LOCK_NB)
        return result_of(
            SYNC_TRIED(SYNC_FILE, fd, error_of(SYNC_REAL(flock)(fd, what))), saved);
    return result_of(SYNC_WAITED(SYNC_FILE, fd, error_of(SYNC_REAL(flock)(fd, what))),
                     saved);
}

WRAPPER int
lockf(int fd, int what, off_t bytes)
{
    int saved = errno;

    if (what == F_TLOCK)
        return result_of(
            SYNC_TRIED(SYNC_FILE, fd, error_of(SYNC_REAL(lockf)(fd, what, bytes))),
            saved);
    if (what != F_LOCK)
        return SYNC_REAL(lockf)(fd, what, bytes);
    return result_of(
        SYNC_WAITED(SYNC_FILE, fd, error_of(SYNC_REAL(lockf)(fd, what, bytes))), saved);
}

WRAPPER int
lockf64(int fd, int what, off64_t bytes)
{
    int saved = errno;

    if (what == F_TLOCK)
        return result_of(
            SYNC_TRIED(SYNC_FILE, fd, error_of(SYNC_REAL(lockf64)(fd, what, bytes))),
            saved);
    if (what != F_LOCK)
        return SYNC_REAL(lockf64)(fd, what, bytes);
    return result_of(
        SYNC_WAITED(SYNC_FILE, fd, error_of(SYNC_REAL(lockf64)(fd, what, bytes))),
        saved);
}

/* 1 if this command of fcntl() waits for a lock, and does not release one. */
static int
is_lock(int command, const struct flock *lock)
{
    return (command == F_SETLKW || command == F_OFD_SETLKW) &&
           sys_readable((u64)(uintptr_t)lock) && lock->l_type != F_UNLCK;
}

SYNC_HOOK int
lock_range(int (*function)(int, int, ...), int fd, int command, void *arg)
{
    int saved = errno;

    return result_of(SYNC_WAITED(SYNC_FILE, fd, error_of(function(fd, command, arg))),
                     saved);
}

WRAPPER int
fcntl(int fd, int command, ...)
{
    va_list args;
    void *arg;

    va_start(args, command);
    arg = va_arg(args, void *);
    va_end(args);
    if (ER_UNLIKELY(is_lock(command, arg)))
        return lock_range(SYNC_REAL(fcntl), fd, command, arg);
    return SYNC_REAL(fcntl)(fd, command, arg);
}

WRAPPER int
fcntl64(int fd, int command, ...)
{
    va_list args;
    void *arg;

    va_start(args, command);
    arg = va_arg(args, void *);
    va_end(args);
    if (ER_UNLIKELY(is_lock(command, arg)))
        return lock_range(SYNC_REAL(fcntl64), fd, command, arg);
    return SYNC_REAL(fcntl64)(fd, command, arg);
}
