/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks for the end of a process, exec and fork. Records are in the files already;
 * these hooks write the residuals and log how the process ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "collector/libc/real.h"
#include "collector/preload/exec_outside.h"
#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/preload/fork.h"
#include "collector/sig/guard.h"
#include "collector/preload/stack.h"
#include "collector/preload/exec_check.h"
#include "collector/preload/inherit_signal.h"
#include "collector/preload/recording.h"
#include "collector/sig/gate.h"
#include "collector/sig/mem.h"

WRAPPER void
_exit(int status)
{
    recording_close("_exit", NULL);
    REAL(_exit)(status);
    __builtin_unreachable();
}

WRAPPER void
_Exit(int status)
{
    recording_close("_Exit", NULL);
    REAL(_Exit)(status);
    __builtin_unreachable();
}

WRAPPER void
quick_exit(int status)
{
    recording_close("quick_exit", NULL);
    REAL(quick_exit)(status);
    __builtin_unreachable();
}

/*
 * The environment for an exec: with our variables, unless the program cannot load the
 * collector.
 */
#define HANDED(envp, refuses)                                       \
    __extension__({                                                 \
        char *const *handed_ = (envp);                              \
        size_t bytes_ = (refuses) ? 0 : descend_bytes(handed_);     \
                                                                    \
        bytes_ ? descend_environ(STACK_ROOM(bytes_), bytes_, handed_) : handed_; \
    })

/*
 * Prepare for an exec: the process is about to become another program. reason: why the
 * collector cannot be loaded into that, or NULL; it is also returned.
 */
static const char *
leave(const char *program, const char *reason)
{
    u64 page = ~0ull;

    if (!program || !mem_string_readable(program, PATH_MAX, &page))
        program = "a bad address";
    if (reason && !exec_outside_is_walked(reason))
        recording_report_lost(program, reason);
    recording_close("exec", program);
    if (reason && exec_outside_is_walked(reason))
        exec_outside_exec(program, reason);
    return reason;
}

/*
 * Did an exec or spawn fail for the length of our variables? Then log that, and the
 * caller repeats it without them: what would succeed without the collector must
 * succeed. error: errno after the call; env, own: the environments with our variables
 * and without.
 */
static int
is_too_long(int error, char *const env[], char *const own[], const char *program)
{
    if (error != E2BIG || env == own)
        return 0;
    exec_outside_lost(program, "its arguments leave no room for the collector's "
                               "variables");
    return 1;
}

/*
 * In posix_spawn(), libc itself creates the child, which inherits our signal's mask and
 * disposition: give it the target's.
 */
WRAPPER int
posix_spawn(pid_t *restrict pid, const char *restrict path,
            const posix_spawn_file_actions_t *restrict actions,
            const posix_spawnattr_t *restrict attr, char *const argv[restrict],
            char *const envp[restrict])
{
    const char *refuses = exec_check_refuses(AT_FDCWD, path, 0);
    u64 mask = inherit_signal_begin();
    char *const *env = HANDED(envp, refuses);
    pid_t child = 0;
    int result = REAL(posix_spawn)(&child, path, actions, attr, argv, env);

    if (is_too_long(result, env, envp, path))
        result = REAL(posix_spawn)(&child, path, actions, attr, argv, envp);
    if (pid && !result)
        *pid = child;
    if (refuses && !result)
        exec_outside_spawned(child, path, refuses);
    inherit_signal_end(mask);
    return result;
}

WRAPPER int
posix_spawnp(pid_t *restrict pid, const char *restrict file,
             const posix_spawn_file_actions_t *restrict actions,
             const posix_spawnattr_t *restrict attr, char *const argv[restrict],
             char *const envp[restrict])
{
    const char *refuses = exec_check_refuses_name(file);
    u64 mask = inherit_signal_begin();
    char *const *env = HANDED(envp, refuses);
    pid_t child = 0;
    int result = REAL(posix_spawnp)(&child, file, actions, attr, argv, env);

    if (is_too_long(result, env, envp, file))
        result = REAL(posix_spawnp)(&child, file, actions, attr, argv, envp);
    if (pid && !result)
        *pid = child;
    if (refuses && !result)
        exec_outside_spawned(child, file, refuses);
    inherit_signal_end(mask);
    return result;
}

/*
 * Register our fork handlers before the target's first ones. Handlers that are
 * registered later run outside of earlier ones, and ours must be the innermost.
 */
WRAPPER int
__register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                  void *object)
{
    fork_start();
    return REAL(__register_atfork)(prepare, parent, child, object);
}

/*
 * fork() calls the fork handlers, but does not tell them if it has failed: this hook
 * does.
 */
WRAPPER pid_t
fork(void)
{
    pid_t pid = REAL(fork)();

    if (pid < 0)
        fork_failed();
    return pid;
}

/* A fork without fork handlers. */
WRAPPER pid_t
_Fork(void)
{
    pid_t pid;

    if (!gate_is_owner())
        return REAL(_Fork)();
    fork_prepare();
    pid = REAL(_Fork)();
    if (pid == 0)
        fork_child(HOW_FORK);
    else
        fork_parent();
    if (pid < 0)
        fork_failed();
    return pid;
}

/*
 * The function that a child of clone() runs. Only for children that do not share the
 * memory of their parent: the child reads its own copy of this struct.
 */
struct clone_start {
    int (*function)(void *);
    void *arg;
};

static int
begin_clone(void *arg)
{
    const struct clone_start *clone_start = arg;

    fork_child(HOW_CLONE);
    return clone_start->function(clone_start->arg);
}

/* Read which directory is the root. 1 = done, 0 = that failed. Keeps errno. */
static int
read_root(struct stat *root)
{
    int saved = errno, done = stat("/", root) == 0;

    errno = saved;
    return done;
}

/*
 * May the child move our root directory? A vfork-like child that shares it, but no
 * descriptors, may: sandboxes of browsers change the root in that way. They check that
 * no directory is open, since it would be a way out; so follow_root() closes ours.
 * *root: the root before that.
 */
static int
may_move_root(int flags, struct stat *root)
{
    const int shared = CLONE_VM | CLONE_VFORK | CLONE_FS;

    return (flags & (shared | CLONE_FILES)) == shared && gate_is_owner() &&
           read_root(root);
}

/*
 * If the root directory has changed, close the descriptor of the experiment's
 * directory.
 */
static void
follow_root(const struct stat *before)
{
    struct stat now;

    if (!read_root(&now) ||
        (now.st_dev == before->st_dev && now.st_ino == before->st_ino))
        return;
    expt_release_directory();
}

/*
 * Only the real clone() is called for children that share memory: they are threads,
 * which are not handled here, or will exec.
 */
WRAPPER int
clone(int (*function)(void *), void *stack, int flags, void *arg, ...)
{
    struct clone_start clone_start = { function, arg };
    void *parent_tid, *tls, *child_tid;
    struct stat root;
    va_list list;
    int pid, moves;

    va_start(list, arg);
    parent_tid = va_arg(list, void *);
    tls = va_arg(list, void *);
    child_tid = va_arg(list, void *);
    va_end(list);
    if (flags & CLONE_VM || !gate_is_owner() || !function || !stack) {
        moves = may_move_root(flags, &root);
        pid = REAL(clone)(function, stack, flags, arg, parent_tid, tls, child_tid);
        if (moves)
            follow_root(&root);
        return pid;
    }
    fork_prepare();
    pid = REAL(clone)(begin_clone, stack, flags, &clone_start, parent_tid, tls,
                      child_tid);
    fork_parent();
    if (pid < 0)
        fork_failed();
    return pid;
}

/*
 * Called after an exec that has failed, since one that succeeds does not return: undoes
 * what leave() did, and returns the exec's result. refuses: what leave() returned.
 */
static int
failed(int result, const char *refuses)
{
    if (refuses && exec_outside_is_walked(refuses))
        exec_outside_failed();
    recording_resume();
    return result;
}

/*
 * Make the call of an exec, which gets its environment from the variable `env`. If the
 * call fails, undo leave(); the result is the exec's.
 */
#define EXEC(call, program, envp, refuses)                                     \
    __extension__({                                                            \
        char *const *own_ = (envp), *const *env = HANDED(own_, refuses);       \
        int result_ = call;                                                    \
                                                                               \
        if (is_too_long(result_ < 0 ? errno : 0, env, own_, program)) {        \
            env = own_;                                                        \
            result_ = call;                                                    \
        }                                                                      \
        failed(result_, refuses);                                              \
    })

WRAPPER int
execve(const char *path, char *const argv[], char *const envp[])
{
    const char *refuses = leave(path, exec_check_refuses(AT_FDCWD, path, 0));

    return EXEC(REAL(execve)(path, argv, env), path, envp, refuses);
}

WRAPPER int
execv(const char *path, char *const argv[])
{
    const char *refuses = leave(path, exec_check_refuses(AT_FDCWD, path, 0));

    return EXEC(REAL(execve)(path, argv, env), path, environ, refuses);
}

WRAPPER int
execvp(const char *file, char *const argv[])
{
    const char *refuses = leave(file, exec_check_refuses_name(file));

    return EXEC(REAL(execvpe)(file, argv, env), file, environ, refuses);
}

WRAPPER int
execvpe(const char *file, char *const argv[], char *const envp[])
{
    const char *refuses = leave(file, exec_check_refuses_name(file));

    return EXEC(REAL(execvpe)(file, argv, env), file, envp, refuses);
}

static const char a_descriptor[] = "a descriptor";

WRAPPER int
fexecve(int fd, char *const argv[], char *const envp[])
{
    const char *refuses =
        leave(a_descriptor, exec_check_refuses(fd, "", AT_EMPTY_PATH));

    if (!envp)
        return failed(REAL(fexecve)(fd, argv, NULL), refuses);
    return EXEC(REAL(fexecve)(fd, argv, env), a_descriptor, envp, refuses);
}

static const char *
named(const char *path, int flags)
{
    return exec_check_is_descriptor(path, flags) ? a_descriptor : path;
}

WRAPPER int
execveat(int dir, const char *path, char *const argv[], char *const envp[], int flags)
{
    const char *program = named(path, flags);
    const char *refuses = leave(program, exec_check_refuses(dir, path, flags));

    return EXEC(REAL(execveat)(dir, path, argv, env, flags), program, envp, refuses);
}

/*
 * Put the arguments after the first, which is in argv already, into argv, up to the
 * NULL.
 */
static void
collect(char **argv, va_list list)
{
    for (size_t n = 0; argv[n];)
        argv[++n] = va_arg(list, char *);
}

static size_t
count_arguments(const char *first, va_list list)
{
    size_t n = 1;

    for (const char *arg = first; arg; n++)
        arg = va_arg(list, char *);
    return n;
}

/*
 * Make argv on the stack, as libc itself does: these functions may be called in a vfork
 * child.
 */
#define ARGUMENTS(argv, first, list)                                              \
    va_start(list, first);                                                        \
    argv = __builtin_alloca(count_arguments(first, list) * sizeof(*argv));        \
    va_end(list);                                                                 \
    argv[0] = (char *)(uintptr_t)first;                                           \
    va_start(list, first);                                                        \
    collect(argv, list)

WRAPPER int
execl(const char *path, const char *arg, ...)
{
    char **argv;
    va_list list;

    ARGUMENTS(argv, arg, list);
    va_end(list);
    return execv(path, argv);
}

WRAPPER int
execlp(const char *file, const char *arg, ...)
{
    char **argv;
    va_list list;

    ARGUMENTS(argv, arg, list);
    va_end(list);
    return execvp(file, argv);
}

WRAPPER int
execle(const char *path, const char *arg, ...)
{
    char **argv, *const *envp;
    va_list list;

    ARGUMENTS(argv, arg, list);
    envp = va_arg(list, char *const *);
    va_end(list);
    return execve(path, argv, envp);
}
