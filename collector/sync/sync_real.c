/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sync/sync_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/hook/trace.h"
#include "collector/libc/resolve.h"
#include "collector/sig/sys.h"

static const struct resolve_call calls[] = {
#define LIBC_FOR_SYNC
#define ROW(type, name, ...) RESOLVE_CALL(sync_real, name),
#include "collector/libc/libc.def"
};

static u32 state;   /* of the look-up: 0 not begun, 1 under way, 2 done */
static void *looker; /* thread pointer of the thread that does the look-up */

/* 1 = the real functions are there; 0 = the calling thread is looking for them. */
static int
is_done(void)
{
    sync_real_start();
    while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != 2) {
        if (__atomic_load_n(&looker, __ATOMIC_RELAXED) == __builtin_thread_pointer())
            return 0;
        sys_call4(SYS_sched_yield, 0, 0, 0, 0);
    }
    return 1;
}

#define FIRST(name, type)                                \
    static int first_##name(type *object)                \
    {                                                    \
        return is_done() ? sync_real.name(object) : 0;   \
    }
FIRST(pthread_mutex_lock, pthread_mutex_t)
FIRST(pthread_mutex_trylock, pthread_mutex_t)
FIRST(pthread_mutex_unlock, pthread_mutex_t)
FIRST(pthread_rwlock_rdlock, pthread_rwlock_t)
FIRST(pthread_rwlock_wrlock, pthread_rwlock_t)
FIRST(pthread_rwlock_unlock, pthread_rwlock_t)
#undef FIRST

struct sync_real sync_real = {
    .pthread_mutex_lock = first_pthread_mutex_lock,
    .pthread_mutex_trylock = first_pthread_mutex_trylock,
    .pthread_mutex_unlock = first_pthread_mutex_unlock,
    .pthread_rwlock_rdlock = first_pthread_rwlock_rdlock,
    .pthread_rwlock_wrlock = first_pthread_rwlock_wrlock,
    .pthread_rwlock_unlock = first_pthread_rwlock_unlock,
};

/*
 * Look up a function. In some libraries, a look-up of pthread_cond_wait() and
 * pthread_cond_timedwait() without a version finds the old versions.
 */
static void *
find_function(const char *name)
{
    void *found = NULL;

    if (!strcmp(name, "pthread_cond_wait") || !strcmp(name, "pthread_cond_timedwait"))
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return found ? found : resolve_next(name);
}

static void
find_functions(void)
{
    for (size_t i = 0; i < ER_COUNT(calls); i++) {
        void *found = find_function(calls[i].name);

        if (found)
            resolve_set(&sync_real, &calls[i], found);
    }
    sync_real.old_cond_wait =
        (int (*)(pthread_cond_t *, pthread_mutex_t *))dlvsym(
            RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.2.5");
    sync_real.old_cond_timedwait =
        (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlvsym(
            RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.2.5");
    /*
     * Clear the error of the failed look-up, which the target would see in dlerror().
     */
    (void)dlerror();
}

void
sync_real_start(void)
{
    u32 nobody = 0;
    int saved = errno;

    if (!__atomic_compare_exchange_n(&state, &nobody, 1, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return;
    __atomic_store_n(&looker, __builtin_thread_pointer(), __ATOMIC_RELAXED);
    find_functions();
    __atomic_store_n(&state, 2, __ATOMIC_RELEASE);
    errno = saved;
}
