/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/wait/wait_leaf.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static struct leaf {
    const char *name;
    u64 address; /* atomic */
} leaves[] = {
#define LIBC_FOR_WAIT
#define LIBC_FOR_WAIT_SYNC
#define ROW(type, name, ...) { #name, 0 },
#include "collector/libc/libc.def"
    { "syscall", 0 },
};

/* Hooks whose names differ from those of their functions. */
static const struct {
    const char *hook, *name;
} others[] = {
    { "wait_cond_wait", "pthread_cond_wait" },
    { "wait_cond_old_wait", "pthread_cond_wait" },
    { "wait_cond_timedwait", "pthread_cond_timedwait" },
    { "wait_cond_old_timedwait", "pthread_cond_timedwait" },
    { "wait_futex", "syscall" },
};

/*
 * Look in libc's own handle, since other tracing libraries may precede libc in the
 * search order.
 */
void
wait_leaf_start(void)
{
    int saved = errno;
    void *(*open)(const char *, int);
    void *libc;

    *(void **)(void *)&open = dlsym(RTLD_NEXT, "dlopen");
    libc = open ? open("libc.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    for (size_t i = 0; i < ER_COUNT(leaves) && libc; i++) {
        void *function = dlsym(libc, leaves[i].name);

        if (!function)
            (void)dlerror();
        __atomic_store_n(&leaves[i].address, (u64)(uintptr_t)function,
                         __ATOMIC_RELAXED);
    }
    errno = saved;
}

u64
wait_leaf(const char *hook)
{
    const char *name = hook;

    for (size_t i = 0; i < ER_COUNT(others); i++)
        if (!strcmp(others[i].hook, hook))
            name = others[i].name;
    for (size_t i = 0; i < ER_COUNT(leaves); i++)
        if (!strcmp(leaves[i].name, name))
            return __atomic_load_n(&leaves[i].address, __ATOMIC_RELAXED);
    return 0;
}
