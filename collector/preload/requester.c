/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/requester.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "collector/sig/sys.h"
#include "share/ctl.h"
#include "share/fmt.h"

enum { TRIES = 4096 }; /* offsets to try, as other processes may hold locks on some */

static int apart;     /* 1 = we are in another PID namespace than the launcher */
/* descriptor of the control file, -1 = none; any close() of that file unlocks it */
static int kept = -1;

static int
lock_call(int fd, int command, u64 place, struct flock *lock)
{
    *lock = ctl_lock(place);
    return (int)sys_call4(SYS_fcntl, fd, command, (long)(uintptr_t)lock, 0);
}

static int
open_page(const char *path)
{
    return (int)sys_call4(SYS_openat, AT_FDCWD, (long)(uintptr_t)path,
                          O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
}

static u32
own_number(void)
{
    return (u32)sys_call4(SYS_getpid, 0, 0, 0, 0);
}

u32
requester_seen_launcher(int page)
{
    struct flock lock;

    /*
     * Free: there is no launcher, or the file system has no locks. Or the call failed.
     */
    if (lock_call(page, F_GETLK, ER_LOCK_LAUNCHER, &lock) < 0 ||
        lock.l_type == F_UNLCK)
        return REQUESTER_UNSEEN;
    return (u32)lock.l_pid;
}

void
requester_choose(u32 seen, u32 launcher)
{
    apart = seen != REQUESTER_UNSEEN && seen != launcher;
}

void
requester_check_parent(void)
{
    if (sys_call4(SYS_getppid, 0, 0, 0, 0) == 0)
        apart = 1;
}

/*
 * Our pid according to /proc, which may belong to an outer PID namespace; else
 * getpid().
 */
static u32
number_in_proc(void)
{
    char text[24];
    long len = sys_call4(SYS_readlinkat, AT_FDCWD, (long)(uintptr_t) "/proc/self",
                         (long)(uintptr_t)text, sizeof(text));
    u32 pid = 0;

    for (long i = 0; i < len && text[i] >= '0' && text[i] <= '9'; i++)
        pid = pid * 10 + (u32)(text[i] - '0');
    return pid ? pid : own_number();
}

/*
 * Lock an offset of the control file, and return the number for requests; 0: none could
 * be locked. The first offset to try is the pid, but processes of several namespaces
 * may have the same pid.
 */
static u32
lock_place(int fd)
{
    u32 place = own_number();
    struct flock lock;

    for (u32 i = 0; i < TRIES; i++, place++) {
        int error = lock_call(fd, F_SETLK, ER_LOCK_REQUESTERS + (u64)place, &lock);

        if (error == 0)
            return ER_REQUESTER_BY_LOCK | place;
        if (error != -EAGAIN && error != -EACCES)
            return 0;
    }
    return 0;
}

u32
requester_begin(const char *path)
{
    u32 number = number_in_proc(), place = 0;

    if (!apart)
        return number;
    if (kept < 0)
        kept = open_page(path);
    if (kept >= 0)
        place = lock_place(kept);
    return place ? place : number != own_number() ? number : 0;
}

u32
requester_number(void)
{
    return apart ? 0 : number_in_proc();
}

void
requester_end(void)
{
    if (kept >= 0)
        sys_call4(SYS_close, kept, 0, 0, 0);
    kept = -1;
}

/*
 * Is the launcher's pid in /proc? For a process in another PID namespace, which cannot
 * test by a signal whether the launcher runs. 0 also if /proc belongs to our own
 * namespace.
 */
static int
launcher_is_in_proc(u32 launcher)
{
    char name[32];
    struct fmt f = fmt_start(name, sizeof(name) - 1);

    if (number_in_proc() == own_number())
        return 0;
    fmt_str(&f, "/proc/");
    fmt_u64(&f, launcher);
    *f.at = 0;
    return sys_call4(SYS_faccessat, AT_FDCWD, (long)(uintptr_t)name, F_OK, 0) == 0;
}

/* Does the launcher hold its lock on the control file? 1, 0; -1: not known. */
static int
launcher_has_lock(const char *path)
{
    int fd = kept >= 0 ? kept : open_page(path);
    struct flock lock;
    int error;

    if (fd < 0)
        return -1;
    error = lock_call(fd, F_GETLK, ER_LOCK_LAUNCHER, &lock);
    if (fd != kept)
        sys_call4(SYS_close, fd, 0, 0, 0);
    return error ? -1 : lock.l_type != F_UNLCK;
}

int
requester_sees_launcher(const char *path, u32 launcher)
{
    int has_lock = apart ? launcher_has_lock(path) : -1;

    if (has_lock >= 0)
        return has_lock;
    return sys_call4(SYS_kill, (long)launcher, 0, 0, 0) != -ESRCH ||
           launcher_is_in_proc(launcher);
}
