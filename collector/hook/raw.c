/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/hook/raw.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/syscall.h>

#include "collector/libc/real.h"
#include "collector/preload/fork.h"
#include "collector/sig/gate.h"
#include "collector/sig/mem.h"

/* Make a system call that forks. Its arguments beyond these have no meaning. */
static long
fork_by(enum er_how how, long number, long a, long b, long c, long d, long e)
{
    long pid;

    fork_prepare();
    pid = REAL(syscall)(number, a, b, c, d, e);
    if (pid == 0)
        fork_child(how);
    else
        fork_parent();
    if (pid < 0)
        fork_failed();
    return pid;
}

static long
raw_fork(long number, long a, long b, long c, long d, long e)
{
    return fork_by(HOW_FORK, number, a, b, c, d, e);
}

static long
raw_clone(long number, long a, long b, long c, long d, long e)
{
    return fork_by(HOW_CLONE, number, a, b, c, d, e);
}

static long
raw_execve(long number, const char *path, char *const argv[], char *const envp[])
{
    (void)number;
    return execve(path, argv, envp);
}

static long
raw_execveat(long number, long dir, const char *path, char *const argv[],
             char *const envp[], long flags)
{
    (void)number;
    return execveat((int)dir, path, argv, envp, (int)flags);
}

/*
 * Does a call with these flags and this stack fork a process that gets a copy of the
 * memory, and continues on the same stack? Then we can make the call for the target. 0
 * also in a process that does not record.
 */
static int
is_fork(u64 flags, u64 stack)
{
    return !(flags & CLONE_VM) && !stack && gate_is_owner();
}

/*
 * Is this call of clone3() a fork as in is_fork()? If its arguments cannot be read: no,
 * so that the kernel gets them and returns its own error.
 */
static int
is_fork_by_args(u64 address, u64 size)
{
    const struct clone_args *args = (const void *)(uintptr_t)address;

    return size >= CLONE_ARGS_SIZE_VER0 && !mem_probe_forbidden &&
           mem_readable(address, CLONE_ARGS_SIZE_VER0) &&
           is_fork(args->flags, args->stack);
}

void *
raw_instead(long number, long a, long b)
{
    switch (number) {
    case SYS_fork:
        return is_fork(0, 0) ? (void *)raw_fork : NULL;
    case SYS_clone:
        return is_fork((u64)a, (u64)b) ? (void *)raw_clone : NULL;
    case SYS_clone3:
        return is_fork_by_args((u64)a, (u64)b) ? (void *)raw_clone : NULL;
    case SYS_execve:
        return (void *)raw_execve;
    case SYS_execveat:
        return (void *)raw_execveat;
    }
    return NULL;
}
