/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/attach_state.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/attach/proc.h"

int
attach_has_ended(const struct attach *a)
{
    struct pollfd fd = { .fd = a->pidfd, .events = POLLIN };

    return poll(&fd, 1, 0) > 0;
}

int
attach_is_over(const struct attach *a)
{
    return a->gone || attach_has_ended(a);
}

int
attach_is_there(struct attach *a)
{
    u64 cookie = 0;

    if (proc_read(a->pid,
                  a->base + ATTACH_CODE_BYTES + offsetof(struct attach_page, cookie),
                  &cookie, sizeof(cookie)) < 0 ||
        cookie != attach_page(a)->cookie)
        a->gone = 1;
    return !a->gone;
}

void
attach_add_pause(struct attach *a, u64 ns)
{
    u64 *more;

    if (!ns)
        return;
    if (a->pause_count == a->pause_room) {
        more = realloc(a->pauses, (a->pause_room + 256) * sizeof(*more));
        if (!more)
            return;
        a->pauses = more;
        a->pause_room += 256;
    }
    a->pauses[a->pause_count++] = ns;
}

static int
by_size(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;

    return x < y ? -1 : x > y;
}

void
attach_pauses(struct attach *a, u64 *median, u64 *p99, u64 *longest)
{
    u32 n = a->pause_count;

    *median = *p99 = *longest = 0;
    if (!n)
        return;
    qsort(a->pauses, n, sizeof(*a->pauses), by_size);
    *median = a->pauses[n / 2];
    *p99 = a->pauses[n - 1 - n / 100];
    *longest = a->pauses[n - 1];
}

int
attach_watch(struct attach *a, pid_t pid)
{
    a->pid = pid;
    a->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    return a->pidfd < 0 ? -errno : 0;
}

int
attach_sees(const struct attach *a, const char *path)
{
    char there[PATH_MAX + 32];
    struct stat ours, its;

    snprintf(there, sizeof(there), "/proc/%d/root%s", (int)a->pid, path);
    return stat(path, &ours) == 0 && stat(there, &its) == 0 &&
           ours.st_dev == its.st_dev && ours.st_ino == its.st_ino;
}
