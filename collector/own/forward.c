/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that only libc can serve: forwarded to libc itself, past other libraries. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>

/* The function in libc, looked up once; threads that race here find the same one. */
static void *
next(void **kept, const char *name)
{
    void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);

    if (!found) {
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5");
        __atomic_store_n(kept, found, __ATOMIC_RELAXED);
    }
    return found;
}

int
dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
    static void *kept;
    int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *);

    *(void **)(void *)&real = next(&kept, "dl_iterate_phdr");
    return real ? real(callback, data) : 0;
}

int
pthread_setcancelstate(int state, int *before)
{
    static void *kept;
    int (*real)(int, int *);

    *(void **)(void *)&real = next(&kept, "pthread_setcancelstate");
    return real ? real(state, before) : 0;
}

int
pthread_attr_getstacksize(const pthread_attr_t *restrict attr, size_t *restrict size)
{
    static void *kept;
    int (*real)(const pthread_attr_t *, size_t *);

    *(void **)(void *)&real = next(&kept, "pthread_attr_getstacksize");
    return real ? real(attr, size) : ENOSYS;
}
