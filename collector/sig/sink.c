/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/sink.h"

#include <signal.h>

#include "collector/sig/hit_settings.h"
#include "collector/sig/sys.h"

enum {
    TRIES = 2000,
    SIGSET_BYTES = 8,
};

struct sink sink;

static long
set_mask(u64 mask, u64 *before)
{
    return sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&mask,
                     (long)(uintptr_t)before, SIGSET_BYTES);
}

int
sink_try_lock(u64 *before)
{
    if (!sink.writer || sink.pid != hit_settings.pid ||
        set_mask(~((u64)1 << (SIGBUS - 1)), before) < 0)
        return 0;
    for (u32 i = 0; i < TRIES; i++) {
        if (!__atomic_exchange_n(sink.lock, 1, __ATOMIC_ACQUIRE))
            return 1;
        __builtin_ia32_pause();
    }
    set_mask(*before, NULL);
    return 0;
}

void
sink_unlock(u64 before)
{
    __atomic_store_n(sink.lock, 0, __ATOMIC_RELEASE);
    set_mask(before, NULL);
}

unsigned char *
sink_begin(u64 ticks, u32 bytes)
{
    return writer_begin(sink.writer, FILE_madecode, sink.owner, ticks, bytes);
}
