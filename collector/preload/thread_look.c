/* SPDX-License-Identifier: Apache-2.0 */
/* Look-ups in the list of recorded threads. */
#include "collector/preload/thread.h"

#include <fcntl.h>
#include <string.h>

#include "collector/sig/guard.h"
#include "collector/sig/gate.h"
#include "share/fmt.h"

u64 thread_ours;
u32 thread_ours_speaks;

u32
thread_id_of(u32 tid)
{
    u64 mask = guard_enter();
    u32 id = 0;

    guard_lock(&guard_threads);
    for (const struct thread *t = thread_list; t && !id; t = t->next)
        if (t->tid == tid)
            id = t->id;
    guard_unlock(&guard_threads);
    guard_leave(mask);
    return id;
}

void
thread_read_name(struct thread *t)
{
    char path[64], name[sizeof(t->row->name.c) + 1] = { 0 };
    struct fmt f = fmt_start(path, sizeof(path) - 1);
    long fd, n;

    if (gate_limited || t->named)
        return;
    fmt_str(&f, "/proc/self/task/");
    fmt_u64(&f, t->tid);
    fmt_str(&f, "/comm");
    *f.at = '\0';
    fd = sys_call4(SYS_openat, AT_FDCWD, (long)(uintptr_t)path, O_RDONLY | O_CLOEXEC,
                   0);
    if (fd < 0)
        return;
    n = sys_call4(SYS_read, fd, (long)(uintptr_t)name, sizeof(name) - 1, 0);
    sys_call4(SYS_close, fd, 0, 0, 0);
    if (n <= 1)
        return;
    name[n - 1] = '\0'; /* the end of the line */
    memcpy(t->row->name.c, name, sizeof(t->row->name.c));
}
