/* SPDX-License-Identifier: Apache-2.0 */
/*
 * system() and popen(). libc itself creates their children, with the program's
 * environment. That does not have our variables, so these hooks add them.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "collector/libc/real.h"
#include "collector/preload/descend.h"
#include "collector/sig/guard.h"
#include "collector/preload/stack.h"
#include "collector/preload/spawn_environ.h"
#include "collector/preload/exec_check.h"
#include "collector/preload/inherit_signal.h"
#include "collector/sig/gate.h"

/*
 * The number of threads in run(), and the actions for SIGINT and SIGQUIT before the
 * first one.
 */
static u32 callers;
static struct sigaction interrupt, quit;

static void
ignore_keys(void)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    u64 mask = guard_enter();

    guard_lock(&guard_callers);
    if (callers++ == 0) {
        REAL(sigaction)(SIGINT, &ignore, &interrupt);
        REAL(sigaction)(SIGQUIT, &ignore, &quit);
    }
    guard_unlock(&guard_callers);
    guard_leave(mask);
}

static void
mind_keys(void)
{
    u64 mask = guard_enter();

    guard_lock(&guard_callers);
    if (--callers == 0) {
        REAL(sigaction)(SIGINT, &interrupt, NULL);
        REAL(sigaction)(SIGQUIT, &quit, NULL);
    }
    guard_unlock(&guard_callers);
    guard_leave(mask);
}

/*
 * Start the shell with the caller's signal mask, and the former actions for SIGINT and
 * SIGQUIT.
 */
static int
spawn(const char *command, const sigset_t *mask, pid_t *pid)
{
    char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" }, (char *)(uintptr_t)command,
                     NULL };
    size_t bytes = descend_bytes(environ);
    void *room = STACK_ROOM(bytes);
    posix_spawnattr_t attr;
    sigset_t reset;
    int error;

    sigemptyset(&reset);
    if (interrupt.sa_handler != SIG_IGN)
        sigaddset(&reset, SIGINT);
    if (quit.sa_handler != SIG_IGN)
        sigaddset(&reset, SIGQUIT);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, mask);
    posix_spawnattr_setsigdefault(&attr, &reset);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    error = REAL(posix_spawn)(pid, "/bin/sh", NULL, &attr, argv,
                              exec_check_refuses(AT_FDCWD, "/bin/sh", 0)
                                  ? environ
                                  : descend_environ(room, bytes, environ));
    posix_spawnattr_destroy(&attr);
    return error;
}

/* Kill the child when the thread that waits for it is cancelled, as libc does. */
static void
cancelled(void *pid)
{
    kill(*(pid_t *)pid, SIGKILL);
    while (waitpid(*(pid_t *)pid, NULL, 0) < 0 && errno == EINTR)
        ;
    mind_keys();
}

static int
await(pid_t *pid)
{
    int status = -1;
    pid_t got;

    pthread_cleanup_push(cancelled, pid);
    do
        got = waitpid(*pid, &status, 0);
    while (got < 0 && errno == EINTR);
    pthread_cleanup_pop(0);
    return got == *pid ? status : -1;
}

/* Do what system(3) does, with our variables; mask: the caller's signal mask. */
static int
run(const char *command, const sigset_t *mask)
{
    int status, error;
    pid_t pid;

    ignore_keys();
    error = spawn(command, mask, &pid);
    status = error ? 127 << 8 : await(&pid);
    mind_keys();
    if (error)
        errno = error;
    return status;
}

WRAPPER int
system(const char *command)
{
    sigset_t child, before;
    int result;
    u64 mask;

    if (!command || !gate_is_owner() || !descend_hands_down(environ)) {
        mask = inherit_signal_begin();
        result = REAL(system)(command);
        inherit_signal_end(mask);
        return result;
    }
    mask = inherit_signal_begin();
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    REAL(pthread_sigmask)(SIG_BLOCK, &child, &before);
    result = run(command, &before);
    REAL(pthread_sigmask)(SIG_SETMASK, &before, NULL);
    inherit_signal_end(mask);
    return result;
}

WRAPPER FILE *
popen(const char *command, const char *mode)
{
    u64 mask = inherit_signal_begin();
    int lent = !exec_check_refuses(AT_FDCWD, "/bin/sh", 0) && spawn_environ_install();
    FILE *result = REAL(popen)(command, mode);

    if (lent)
        spawn_environ_restore();
    inherit_signal_end(mask);
    return result;
}
