/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/preload/expt.h"
#include "collector/preload/guard.h"
#include "collector/sig/space.h"

static u32 launcher_pid;
static struct guard_lock lock;

void
grow_start(u32 launcher)
{
    launcher_pid = launcher;
}

int
grow_has_launcher(void)
{
    if (!launcher_pid || !__atomic_load_n(&space_ctl->waiting, __ATOMIC_ACQUIRE))
        return 0;
    return sys_call4(SYS_kill, (long)launcher_pid, 0, 0, 0) != -ESRCH;
}

static int
write_zeros(int fd, u64 at)
{
    static const char zeros[4096];

    for (u64 done = 0; done < ER_SEGMENT; done += sizeof(zeros))
        if (pwrite(fd, zeros, sizeof(zeros), (off_t)(at + done)) !=
            (ssize_t)sizeof(zeros))
            return errno ? -errno : -ENOSPC;
    return 0;
}

/* A file-size limit speaks by SIGXFSZ, too: it is blocked here, and taken back. */
static int
reserve(int fd, u64 at)
{
    u64 limit = 1ull << (SIGXFSZ - 1), pending = 0;
    struct timespec now = { 0, 0 };
    int error = 0;

    sys_call4(SYS_rt_sigpending, (long)(uintptr_t)&pending, GUARD_SIGSET_BYTES, 0, 0);
    if (fallocate(fd, 0, (off_t)at, ER_SEGMENT) < 0)
        error = errno == EOPNOTSUPP || errno == ENOSYS ? write_zeros(fd, at) : -errno;
    if (error == -EFBIG && !(pending & limit))
        sys_call4(SYS_rt_sigtimedwait, (long)(uintptr_t)&limit, 0,
                  (long)(uintptr_t)&now, GUARD_SIGSET_BYTES);
    return error;
}

static void
give_up(enum er_file file, int error)
{
    u32 flags = __atomic_fetch_or(&space_ctl->flags, CTL_NO_SPACE, __ATOMIC_ACQ_REL);

    if (!(flags & CTL_NO_SPACE))
        expt_event(EVENT_disk_full, er_files[file].name, expt_error_name(-error), NULL,
                   0);
}

static int
grow(enum er_file file, u64 before)
{
    u64 next = before;
    int fd, error;

    if (before / ER_SEGMENT >= SPACE_SEGMENTS)
        return -EFBIG;
    fd = expt_open_file(er_files[file].name);
    if (fd < 0)
        return fd;
    error = reserve(fd, before);
    close(fd);
    if (error == 0)
        __atomic_compare_exchange_n(&space_ctl->file[file].reserved, &next,
                                    before + ER_SEGMENT, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
    return error;
}

int
grow_file(enum er_file file, u64 before)
{
    int error = 0;

    guard_lock(&lock);
    if (__atomic_load_n(&space_ctl->file[file].reserved, __ATOMIC_ACQUIRE) == before)
        error = grow(file, before);
    guard_unlock(&lock);
    if (error < 0)
        give_up(file, error);
    return error;
}
