/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/session/session.h"

enum {
    FIRST = -19, /* the priority for setpriority(2), where this is permitted */
};

static int
wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/*
 * Wait until the helper has written its byte: 0. If it exits instead, its exit status
 * is the errno.
 */
static int
await(pid_t pid, int ready)
{
    char byte;
    ssize_t n;
    int status;

    do
        n = read(ready, &byte, 1);
    while (n < 0 && errno == EINTR);
    if (n == 1)
        return 0;
    status = wait_for(pid);
    return WIFEXITED(status) && WEXITSTATUS(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static void
close_all(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static int
start(struct worker *w, struct recording *s, struct rings *rings, worker_run *run,
      int ready[2], int stop[2])
{
    pid_t pid = fork();
    int ret;

    if (pid == 0) {
        close(ready[0]);
        close(stop[1]);
        /*
         * Run early: with many threads in the target, rings could overflow before it is
         * our turn.
         */
        (void)setpriority(PRIO_PROCESS, 0, FIRST);
        run(s, rings, ready[1], stop[0]);
    }
    ret = pid < 0 ? -errno : 0;
    close(ready[1]);
    ready[1] = -1;
    if (ret == 0)
        ret = await(pid, ready[0]);
    if (ret == 0)
        *w = (struct worker){ pid, stop[1] };
    return ret;
}

int
worker_start(struct worker *w, struct recording *s, struct rings *rings,
             worker_run *run)
{
    int ready[2] = { -1, -1 }, stop[2] = { -1, -1 };
    int ret = pipe2(ready, O_CLOEXEC) < 0 || pipe2(stop, O_CLOEXEC) < 0 ? -errno : 0;

    if (ret == 0)
        ret = start(w, s, rings, run, ready, stop);
    /* The write end of `stop` stays open: w->stop has it. */
    if (ret == 0)
        stop[1] = -1;
    close_all(ready);
    close_all(stop);
    return ret;
}

int
worker_stop(struct worker *w, char why[WORKER_WHY])
{
    int status;

    /*
     * Write a byte, as closing the pipe would not be noticed if other helpers have
     * inherited this end.
     */
    (void)!write(w->stop, "", 1);
    close(w->stop);
    status = wait_for(w->pid);
    w->pid = 0;
    if (WIFSIGNALED(status))
        snprintf(why, WORKER_WHY, "signal %d", WTERMSIG(status));
    else
        snprintf(why, WORKER_WHY, "%s", strerror(WEXITSTATUS(status)));
    return status != 0;
}
