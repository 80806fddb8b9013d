/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/libc/resolve.h"

#include <dlfcn.h>
#include <errno.h>

#include "share/attach.h"

/* Weak, so that a library also loads without libcollector.so. */
#pragma weak ertools_find

void *
resolve_next(const char *name)
{
    void *found = ertools_find ? ertools_find(name, "") : NULL;

    return found ? found : dlsym(RTLD_NEXT, name);
}

static long
missing(void)
{
    errno = ENOSYS;
    return -1;
}

void
resolve_all(void *reals, const struct resolve_call *calls, size_t count)
{
    int saved = errno;

    for (size_t i = 0; i < count; i++) {
        void *function = resolve_next(calls[i].name);

        /*
         * Clear the error of the failed look-up, which the target would see in
         * dlerror().
         */
        if (!function)
            (void)dlerror();
        resolve_set(reals, &calls[i], function ? function : (void *)missing);
    }
    errno = saved;
}

int
resolve_is_late(void)
{
    return ertools_find && ertools_find("malloc", "") != NULL;
}
