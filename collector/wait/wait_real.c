/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/wait/wait_real.h"

#include "collector/libc/resolve.h"
#include "collector/sync/sync_real.h"
#include "collector/hook/trace.h"
#include "collector/wait/wait_leaf.h"

static const struct resolve_call calls[] = {
#define LIBC_FOR_WAIT
#define ROW(type, name, ...) RESOLVE_CALL(wait_real, name),
#include "collector/libc/libc.def"
};

struct wait_real wait_real;

void
wait_real_start(void)
{
    resolve_all(&wait_real, calls, ER_COUNT(calls));
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
    (void)wait_real_syscall();
    trace_start((const void *)(uintptr_t)wait_real_start, started);
}
