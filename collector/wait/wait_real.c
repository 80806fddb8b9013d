/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/wait/wait_real.h"

#include <dlfcn.h>
#include <errno.h>

#include "collector/sync/sync_real.h"
#include "collector/wait/wait_leaf.h"
#include "collector/hook/trace.h"

static const struct {
    const char *name;
    size_t offset;
} table[] = {
#define WRAP(type, name, params, need) { #name, offsetof(struct wait_real, name) },
#include "collector/wait/wait.def"
#undef WRAP
};

struct wait_real wait_real;

/* What an older libc lacks; all rows that may be missing return a number. */
static long
missing(void)
{
    errno = ENOSYS;
    return -1;
}

void
wait_real_start(void)
{
    int saved = errno;

    for (size_t i = 0; i < ER_COUNT(table); i++) {
        void **at = (void **)(void *)((char *)&wait_real + table[i].offset);
        void *function = trace_next(table[i].name);

        if (!function)
            (void)dlerror();
        __atomic_store_n(at, function ? function : (void *)missing, __ATOMIC_RELEASE);
    }
    errno = saved;
}

static void
started(void)
{
}

__attribute__((constructor)) static void
start(void)
{
    sync_real_start();
    if (!wait_real.read)
        wait_real_start();
    wait_leaf_start();
    trace_start((const void *)(uintptr_t)wait_real_start, started);
}
