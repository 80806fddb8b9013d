/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/wall.h"

#include <fcntl.h>

#include "collector/sig/guard.h"
#include "collector/sig/gate.h"
#include "share/fmt.h"

/* The second number of /proc/PID/task/TID/schedstat; 0 if there is none. */
static u64
second_number(const char *text, long len)
{
    u64 value = 0;
    long i = 0;

    while (i < len && text[i] != ' ')
        i++;
    for (i++; i < len && text[i] >= '0' && text[i] <= '9'; i++)
        value = value * 10 + (u64)(text[i] - '0');
    return value;
}

u64
wall_delay_of(u32 tid)
{
    char path[64], text[80];
    struct fmt f = fmt_start(path, sizeof(path) - 1);
    long fd, len;

    fmt_str(&f, "/proc/self/task/");
    fmt_u64(&f, tid);
    fmt_str(&f, "/schedstat");
    *f.at = '\0';
    fd = sys_call4(SYS_openat, AT_FDCWD, (long)(uintptr_t)path,
                   O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
    if (fd < 0)
        return 0;
    len = sys_call4(SYS_read, fd, (long)(uintptr_t)text, sizeof(text), 0);
    sys_call4(SYS_close, fd, 0, 0, 0);
    return second_number(text, len);
}

void
wall_update_delay(struct thread *t)
{
    u64 delay = t->row && t->tid ? wall_delay_of(t->tid) : 0;

    if (delay && delay > t->row->delay_last)
        __atomic_store_n(&t->row->delay_last, delay, __ATOMIC_RELAXED);
}

/*
 * Does nothing in a vfork child, or in a thread that a raw clone() has made with its
 * parent's thread pointer: t is the parent's there, while the CPU clock is not.
 */
void
wall_over(struct thread *t, u32 state, u64 ticks, u32 node)
{
    u64 mask;

    if (gate_limited || t->tid != (u32)sys_call4(SYS_gettid, 0, 0, 0, 0))
        return;
    mask = guard_enter();
    if (gate_is_open() && !t->alone &&
        !(__atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED) & CTL_SILENT))
        wall_waited(t, state, ticks, node);
    guard_leave(mask);
}
