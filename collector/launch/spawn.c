/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/elsewhere.h"
#include "collector/launch/signals.h"

/* read(), again after a signal. */
static ssize_t
read_again(int fd, void *data, size_t len)
{
    ssize_t n;

    do
        n = read(fd, data, len);
    while (n < 0 && errno == EINTR);
    return n;
}

static void
reap(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/*
 * In the child: wait until the launcher lets it continue. The launcher sends the pid of
 * the helper that will sample the child by ptrace stops: where Yama allows only
 * ancestors to trace, the child must permit that helper. 0: the launcher has given up.
 */
static int
await_go(int go)
{
    pid_t tracer;

    if (read_again(go, &tracer, sizeof(tracer)) != sizeof(tracer))
        return 0;
    if (tracer)
        (void)prctl(PR_SET_PTRACER, tracer, 0, 0, 0);
    return 1;
}

/*
 * Become the program. malloc() may not be called here, so `shell`, the argv for the
 * shell, was made before the fork.
 */
static void
child(int go, int result, const char *path, char **argv, char **shell, char **env)
{
    int error;

    if (go >= 0 && !await_go(go))
        _exit(1);
    signals_restore();
    elsewhere_restore();
    execve(path, argv, env);
    if (errno == ENOEXEC && shell)
        execve(shell[0], shell, env);
    error = errno;
    (void)!write(result, &error, sizeof(error));
    _exit(1);
}

/* Make the argv for /bin/sh: its path, `path`, and the arguments. NULL: no memory. */
static char **
shell_argv(const char *path, char **argv)
{
    size_t n = 0;
    char **shell;

    while (argv[n])
        n++;
    shell = calloc(n + 2, sizeof(*shell));
    if (!shell)
        return NULL;
    shell[0] = (char *)(unsigned long)"/bin/sh";
    shell[1] = (char *)(unsigned long)path;
    for (size_t i = 1; i < n; i++)
        shell[i + 1] = argv[i];
    return shell;
}

int
spawn_wait(struct spawn *s, const char *path, char **argv, char **env, int shell)
{
    int go[2], result[2], error;
    char **words = shell ? shell_argv(path, argv) : NULL;
    pid_t pid = -1;

    if (shell && !words)
        return -ENOMEM;
    if (pipe2(go, O_CLOEXEC) < 0) {
        error = errno;
    } else if (pipe2(result, O_CLOEXEC) < 0) {
        error = errno;
        close(go[0]);
        close(go[1]);
    } else {
        pid = fork();
        error = errno;
        if (pid == 0) {
            close(go[1]);
            child(go[0], result[1], path, argv, words, env);
        }
        close(go[0]);
        close(result[1]);
    }
    free(words);
    if (pid < 0)
        return -error;
    s->pid = pid;
    s->stops = 0;
    s->go = go[1];
    s->result = result[0];
    return 0;
}

/*
 * What the process that will exec needs, in memory that both processes have mapped at
 * one address.
 */
struct order {
    char *path, **argv, **shell, **env;
    size_t used;
    char text[];
};

enum { ORDER_BYTES = 8 << 20 }; /* more than the kernel takes */

static void *
order_place(struct order *o, size_t bytes)
{
    void *at = o->text + o->used;

    if (bytes > ORDER_BYTES - sizeof(*o) - o->used)
        return NULL;
    o->used += (bytes + 7) & ~(size_t)7;
    return at;
}

static char *
order_word(struct order *o, const char *word)
{
    size_t bytes = strlen(word) + 1;
    char *to = order_place(o, bytes);

    return to ? memcpy(to, word, bytes) : NULL;
}

static char **
order_words(struct order *o, char **words)
{
    size_t n = 0;
    char **to;

    while (words && words[n])
        n++;
    to = words ? order_place(o, (n + 1) * sizeof(*to)) : NULL;
    for (size_t i = 0; to && i < n; i++)
        if (!(to[i] = order_word(o, words[i])))
            return NULL;
    if (to)
        to[n] = NULL;
    return to;
}

int
spawn_order(struct spawn *s, const char *path, char **argv, char **env, int shell)
{
    char **words = shell ? shell_argv(path, argv) : NULL;
    struct order *o = s->order;

    o->path = order_word(o, path);
    o->argv = order_words(o, argv);
    o->shell = order_words(o, words);
    o->env = order_words(o, env);
    free(words);
    return o->path && o->argv && o->env && !shell == !o->shell ? 0 : -E2BIG;
}

/*
 * Runs in the process that called spawn_beside(): wait for the order, and become that
 * program.
 */
static void
follow(struct order *o, int go, int result)
{
    signals_set_up();
    if (!await_go(go))
        _exit(1);
    child(-1, result, o->path, o->argv, o->shell, o->env);
}

int
spawn_beside(struct spawn *s)
{
    int go[2], result[2];
    struct order *o = mmap(NULL, ORDER_BYTES, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pid_t target = getpid(), pid;

    if (o == MAP_FAILED || pipe2(go, O_CLOEXEC) < 0 || pipe2(result, O_CLOEXEC) < 0)
        return -errno;
    pid = fork();
    if (pid < 0)
        return -errno;
    if (pid > 0) {
        close(go[1]);
        close(result[0]);
        reap(pid);
        follow(o, go[0], result[1]);
    }
    if (fork() != 0)
        _exit(0);
    (void)setsid();
    close(go[0]);
    close(result[1]);
    *s = (struct spawn){ .pid = target, .go = go[1], .result = result[0], .order = o };
    return 0;
}

int
spawn_stop(struct spawn *s)
{
    if (ptrace(PTRACE_SEIZE, s->pid, 0, PTRACE_O_TRACEEXEC) < 0)
        return -errno;
    s->stops = 1;
    return 0;
}

/*
 * Trace the child up to its exec, which has succeeded; leave it stopped there, and
 * untraced.
 */
static void
leave_stopped(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
            (void)kill(pid, SIGSTOP);
            (void)ptrace(PTRACE_DETACH, pid, 0, 0);
            return;
        }
        (void)ptrace(PTRACE_CONT, pid, 0, status >> 16 ? 0l : WSTOPSIG(status));
    }
}

int
spawn_go(struct spawn *s)
{
    int error = 0;
    ssize_t n;

    (void)!write(s->go, &s->tracer, sizeof(s->tracer));
    close(s->go);
    n = read_again(s->result, &error, sizeof(error));
    close(s->result);
    if (n != sizeof(error)) {
        if (s->stops)
            leave_stopped(s->pid);
        return 0;
    }
    reap(s->pid);
    return -error;
}

void
spawn_cancel(struct spawn *s)
{
    close(s->go);
    close(s->result);
    reap(s->pid);
}
