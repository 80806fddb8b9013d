/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/session.h"
#include "collector/outside/helper.h"
#include "share/err.h"
#include "share/logxml.h"

int
outside_can(enum image_kind kind)
{
    return image_is_walked(kind) && ring_try() == 0;
}

static int
wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* The helper is there when it says so; otherwise its exit status is why it is not. */
static int
await(pid_t helper, int ready)
{
    char byte;
    ssize_t n;
    int status;

    do
        n = read(ready, &byte, 1);
    while (n < 0 && errno == EINTR);
    if (n == 1)
        return 0;
    status = wait_for(helper);
    return WIFEXITED(status) && WEXITSTATUS(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int
start_helper(struct session *s, struct rings *rings, int ready[2], int stop[2])
{
    pid_t helper = fork();
    int ret;

    if (helper == 0) {
        close(ready[0]);
        close(stop[1]);
        helper_run(s, rings, ready[1], stop[0]);
    }
    ret = helper < 0 ? -errno : 0;
    close(ready[1]);
    ready[1] = -1;
    if (ret == 0)
        ret = await(helper, ready[0]);
    if (ret == 0) {
        s->outside.started = 1;
        s->outside.helper = helper;
        s->outside.stop = stop[1];
    }
    return ret;
}

static void
close_all(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

void
outside_watch(struct session *s, const char *program)
{
    if (!s->params.follow || !s->params.clock_ns || s->no_library ||
        !image_is_go(program) || ring_try() < 0)
        return;
    s->outside.kin = s->outside.only_kin = 1;
    (void)outside_start(s);
}

int
outside_start(struct session *s)
{
    int ready[2] = { -1, -1 }, stop[2] = { -1, -1 };
    struct rings rings = { .ring = NULL };
    int ret = s->outside.only_kin ? 0
              : s->outside.from_now
                  ? rings_open_now(&rings, s->pid, s->params.clock_ns)
                  : rings_open(&rings, s->pid, s->params.clock_ns);

    if (ret == 0 && (pipe2(ready, O_CLOEXEC) < 0 || pipe2(stop, O_CLOEXEC) < 0))
        ret = -errno;
    if (ret == 0)
        ret = start_helper(s, &rings, ready, stop);
    /* Our end of this pipe is what the helper waits for. */
    if (ret == 0)
        stop[1] = -1;
    close_all(ready);
    close_all(stop);
    rings_close(&rings);
    return ret;
}

void
outside_stop(struct session *s)
{
    struct outside *o = &s->outside;
    char why[64];
    int status;

    if (!o->helper)
        return;
    /* Other helpers may have this end, too. */
    (void)!write(o->stop, "", 1);
    close(o->stop);
    status = wait_for(o->helper);
    o->helper = 0;
    if (!status || o->only_kin)
        return;
    /* A descendant that was only about to become another program has no log yet. */
    if (o->begin &&
        !(__atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE) & CTL_ATTACHED))
        return;
    if (WIFSIGNALED(status))
        snprintf(why, sizeof(why), "signal %d", WTERMSIG(status));
    else
        snprintf(why, sizeof(why), "%s", strerror(WEXITSTATUS(status)));
    (void)log_event(s->experiment.log, EVENT_outside_ended, moment_mono(), why, NULL,
                    NULL, 0);
    err_warn("sampling from outside ended early (%s): what the target did then is "
             "unattributed", why);
}
