/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "print/base/progress.h"

struct pager {
    pid_t pid;
    int pipe;      /* -1: closed */
    int complaint; /* standard error as it was, -1: unchanged */
    struct sigaction interrupt, broken_pipe;
};

/* A global variable, since the signal handler has no context. */
static struct pager *volatile running;

/* Whether the first word of a command can be run, as far as that is easily seen. */
static bool
can_run(const char *command)
{
    const char *path = getenv("PATH");
    size_t word = strcspn(command, " \t"), n;
    char file[4096];

    if (strcspn(command, "/|&;<>()$`\\\"'*?[#~=%{") < word || !path)
        return true;
    for (; *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        if (snprintf(file, sizeof(file), "%.*s/%.*s", (int)n, path, (int)word,
                     command) < (int)sizeof(file) &&
            access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/*
 * The command that starts the pager; NULL if there is none, or the user wants none (""
 * or cat).
 */
static const char *
wanted_command(void)
{
    const char *command = getenv("ER_PAGER");

    if (!command)
        command = getenv("PAGER");
    if (!command)
        command = "less";
    command += strspn(command, " \t");
    return *command && strcmp(command, "cat") && can_run(command) ? command : NULL;
}

/* Close the pipe to the pager: it shows what it has, and ends when its user quits. */
static void
hang_up(struct pager *p)
{
    if (p->complaint >= 0)
        dup2(p->complaint, STDERR_FILENO);
    if (p->pipe >= 0)
        close(p->pipe);
    p->pipe = -1;
}

static void
wait_for(const struct pager *p)
{
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* The pager reads the keyboard: leave the terminal to it until it ends. */
static void
on_interrupt(int sig)
{
    if (running) {
        hang_up(running);
        wait_for(running);
    }
    signal(sig, SIG_DFL);
    raise(sig);
}

static int
spawn(struct pager *p, const char *command, int in)
{
    char sh[] = "sh", option[] = "-c", *copy = strdup(command);
    char *argv[] = { sh, option, copy, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t signals;
    int err;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &signals);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    /* Options: show colours, do not page what fits the screen, leave the text there. */
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    err = copy ? posix_spawn(&p->pid, "/bin/sh", &files, &attr, argv, environ) : ENOMEM;
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    free(copy);
    return -err;
}

static void
install_signals(struct pager *p, bool mortal)
{
    struct sigaction interrupt = { .sa_handler = mortal ? on_interrupt : SIG_IGN };
    struct sigaction ignore = { .sa_handler = SIG_IGN };

    running = p;
    sigaction(SIGINT, &interrupt, &p->interrupt);
    sigaction(SIGPIPE, &ignore, &p->broken_pipe);
}

int
pager_start(struct pager **pager, bool mortal)
{
    const char *command = wanted_command();
    struct pager *p;
    int ends[2], err;

    if (!command)
        return -ENOENT;
    p = calloc(1, sizeof(*p));
    if (!p || pipe2(ends, O_CLOEXEC)) {
        free(p);
        return -ENOMEM;
    }
    progress_erase();
    err = spawn(p, command, ends[0]);
    close(ends[0]);
    p->pipe = ends[1];
    p->complaint = -1;
    if (err) {
        close(ends[1]);
        free(p);
        return err;
    }
    progress_pause(true);
    if (isatty(STDERR_FILENO)) {
        p->complaint = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        if (p->complaint >= 0)
            dup2(p->pipe, STDERR_FILENO);
    }
    install_signals(p, mortal);
    *pager = p;
    return 0;
}

int
pager_write(struct pager *p, const char *text, size_t size)
{
    while (size) {
        ssize_t n = p->pipe >= 0 ? write(p->pipe, text, size) : -1;

        if (n < 0 && p->pipe >= 0 && errno == EINTR)
            continue;
        if (n < 0) {
            hang_up(p);
            return -EPIPE;
        }
        text += n;
        size -= (size_t)n;
    }
    return 0;
}

void
pager_end(struct pager *p)
{
    hang_up(p);
    wait_for(p);
    running = NULL;
    sigaction(SIGINT, &p->interrupt, NULL);
    sigaction(SIGPIPE, &p->broken_pipe, NULL);
    if (p->complaint >= 0)
        close(p->complaint);
    progress_pause(false);
    free(p);
}
