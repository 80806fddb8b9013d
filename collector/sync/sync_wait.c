/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions, barriers, joining threads, and pthread_once(); C11's functions, too. */
#include "collector/libc/real.h"
#include "collector/sync/sync_c11.h"
#include "collector/sync/sync_real.h"
#include "collector/sync/sync_record.h"

/*
 * The versions that libc has of pthread_cond_wait and pthread_cond_timedwait; sync.map
 * has them, too.
 */
#define OLD "@GLIBC_2.2.5"
#define NEW "@@GLIBC_2.3.2"

int sync_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int sync_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                        const struct timespec *until);
int sync_cond_old_wait(pthread_cond_t *c, pthread_mutex_t *m);
int sync_cond_old_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                            const struct timespec *until);

WRAPPER_VERSION(sync_cond_wait, "pthread_cond_wait" NEW) int
sync_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return SYNC_WAITED_WITH(c, m, SYNC_REAL(pthread_cond_wait)(c, m));
}

WRAPPER_VERSION(sync_cond_timedwait, "pthread_cond_timedwait" NEW) int
sync_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    return SYNC_WAITED_WITH(c, m, SYNC_REAL(pthread_cond_timedwait)(c, m, until));
}

WRAPPER_VERSION(sync_cond_old_wait, "pthread_cond_wait" OLD) int
sync_cond_old_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return SYNC_WAITED_WITH(c, m, SYNC_REAL(old_cond_wait)(c, m));
}

WRAPPER_VERSION(sync_cond_old_timedwait, "pthread_cond_timedwait" OLD) int
sync_cond_old_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                        const struct timespec *until)
{
    return SYNC_WAITED_WITH(c, m, SYNC_REAL(old_cond_timedwait)(c, m, until));
}

WRAPPER int
pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                       const struct timespec *until)
{
    return SYNC_WAITED_WITH(c, m,
                            SYNC_REAL(pthread_cond_clockwait)(c, m, clock, until));
}

WRAPPER int
cnd_wait(cnd_t *c, mtx_t *m)
{
    return c11_result(SYNC_WAITED_WITH(c, m, c11_error(SYNC_REAL(cnd_wait)(c, m))));
}

WRAPPER int
cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
              const struct timespec *restrict until)
{
    return c11_result(
        SYNC_WAITED_WITH(c, m, c11_error(SYNC_REAL(cnd_timedwait)(c, m, until))));
}

/*
 * One of the threads gets the result PTHREAD_BARRIER_SERIAL_THREAD, which is not an
 * error.
 */
WRAPPER int
pthread_barrier_wait(pthread_barrier_t *b)
{
    int result = 0;

    (void)SYNC_WAITED(SYNC_BARRIER, b, __extension__({
                          result = SYNC_REAL(pthread_barrier_wait)(b);
                          result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : result;
                      }));
    return result;
}

WRAPPER int
pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
                     unsigned count)
{
    sync_renew(b, SYNC_BARRIER);
    return SYNC_REAL(pthread_barrier_init)(b, attr, count);
}

WRAPPER int
pthread_barrier_destroy(pthread_barrier_t *b)
{
    sync_renew(b, SYNC_BARRIER);
    return SYNC_REAL(pthread_barrier_destroy)(b);
}

WRAPPER int
pthread_join(pthread_t id, void **result)
{
    return SYNC_WAITED(SYNC_JOIN, id, SYNC_REAL(pthread_join)(id, result));
}

WRAPPER int
pthread_tryjoin_np(pthread_t id, void **result)
{
    return SYNC_TRIED(SYNC_JOIN, id, SYNC_REAL(pthread_tryjoin_np)(id, result));
}

WRAPPER int
pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
    return SYNC_WAITED(SYNC_JOIN, id,
                       SYNC_REAL(pthread_timedjoin_np)(id, result, until));
}

WRAPPER int
pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock,
                     const struct timespec *until)
{
    return SYNC_WAITED(SYNC_JOIN, id,
                       SYNC_REAL(pthread_clockjoin_np)(id, result, clock, until));
}

WRAPPER int
thrd_join(thrd_t id, int *result)
{
    return c11_result(
        SYNC_WAITED(SYNC_JOIN, id, c11_error(SYNC_REAL(thrd_join)(id, result))));
}

/*
 * In glibc and musl, this bit says that the routine has run, whatever the other bits
 * are.
 */
#define ONCE_DONE 2

static int
is_done(const int *control)
{
    return (__atomic_load_n(control, __ATOMIC_ACQUIRE) & ONCE_DONE) != 0;
}

/*
 * The function that pthread_once() calls instead of the target's, in the thread that
 * runs it.
 */
static void
run_once(void)
{
    struct sync_request *ask = sync_once_begins();

    ask->routine();
    sync_once_ends(ask);
}

/*
 * Let pthread_once() call run_once(), which finds the request, and the target's
 * function in it, by the thread's list (sync_thread.h). A thread without a list could
 * not find them, so for it nothing is recorded.
 */
SYNC_HOOK int
once(pthread_once_t *control, void (*routine)(void))
{
    struct sync_request ask;
    int error;

    SYNC_MAY_UNWIND;
    if (!SYNC_REQUEST(&ask, SYNC_ONCE, control) || !ask.self)
        return SYNC_REAL(pthread_once)(control, routine);
    ask.routine = routine;
    if (!is_done(control))
        sync_waits(&ask);
    error = SYNC_REAL(pthread_once)(control, ask.before ? run_once : routine);
    sync_done(&ask, error);
    return error;
}

WRAPPER int
pthread_once(pthread_once_t *control, void (*routine)(void))
{
    struct sync_thread *self = sync_quick();

    if (ER_UNLIKELY(!self) || ER_UNLIKELY(!is_done(control)))
        return once(control, routine);
    ++*self->calls;
    return sync_real.pthread_once(control, routine);
}

SYNC_HOOK int
once_c11(once_flag *flag, void (*routine)(void))
{
    struct sync_request ask;

    SYNC_MAY_UNWIND;
    if (!SYNC_REQUEST(&ask, SYNC_ONCE, flag) || !ask.self) {
        SYNC_REAL(call_once)(flag, routine);
        return 0;
    }
    ask.routine = routine;
    if (!is_done((const int *)flag))
        sync_waits(&ask);
    SYNC_REAL(call_once)(flag, ask.before ? run_once : routine);
    sync_done(&ask, 0);
    return 0;
}

WRAPPER void
call_once(once_flag *flag, void (*routine)(void))
{
    (void)once_c11(flag, routine);
}
