/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/calls.h"
#include "collector/launch/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/attach/attach.h"
#include "collector/launch/prepare.h"
#include "collector/launch/requester.h"
#include "collector/launch/attached.h"
#include "collector/launch/debugged.h"
#include "collector/launch/environ.h"
#include "collector/launch/family.h"
#include "collector/launch/finish.h"
#include "collector/launch/group.h"
#include "collector/launch/jit.h"
#include "collector/launch/head.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/plan.h"
#include "collector/launch/rank.h"
#include "collector/launch/room.h"
#include "collector/launch/serve.h"
#include "collector/launch/regions.h"
#include "collector/launch/signals.h"
#include "collector/launch/spawn.h"
#include "collector/launch/status.h"
#include "collector/outside/kernel.h"
#include "collector/outside/outside.h"
#include "share/err.h"
#include "share/logxml.h"

static int
write_heads(struct recording *s)
{
    char wd[PATH_MAX];
    pid_t parent =
        s->attach ? (pid_t)account_stat_field(s->pid, STAT_PARENT) : getpid();
    struct head_process process = {
        .ppid = parent,
        .wd = getcwd(wd, sizeof(wd)) ? wd : "",
        .args = s->request->target,
    };
    int ret = head_log(s, &process);

    if (ret == 0)
        ret = head_map(s);
    return ret == 0 ? head_notes(s) : ret;
}

static int
exec_failed(const struct recording *s, int error)
{
    const char *name = s->request->target[0];

    /*
     * The file itself was found a moment ago, so it is its interpreter that does not
     * exist.
     */
    if (error == -ENOENT && s->preflight.scripts)
        err_warn("'%s' cannot be executed: its interpreter '%s' does not exist", name,
                 s->preflight.program);
    else if (error == -ENOENT)
        err_warn("'%s' cannot be executed: its dynamic loader does not exist", name);
    else
        err_warn("'%s' cannot be executed: %s", name, strerror(-error));
    return STATUS_NOT_RUNNABLE;
}

/* Start sampling from outside; plan.c has checked that it is permitted. */
static void
start_outside(struct recording *s)
{
    int ret = s->outside.wanted ? outside_start(s) : 0;

    outside_watch(s, s->preflight.program);
    if (ret < 0)
        err_warn("'%s' cannot be sampled from outside (%s): only its resource use is "
                 "recorded",
                 s->preflight.program, strerror(-ret));
}

/*
 * The child waits before its exec. Write what needs its process id, then let it exec. 0
 * or an exit status.
 */
static int
start(struct recording *s, struct spawn *child)
{
    struct ctl *ctl = s->experiment.ctl;
    int ret;

    s->pid = child->pid;
    ctl->pid = (u32)child->pid;
    if (s->request->follow || s->request->ranks)
        requester_start(s->experiment.dir);
    ctl->waiting = 1;
    counter_hand_over(&s->counters, ctl);
    if (s->params.paused)
        ctl->flags |= CTL_PAUSED;
    ret = write_heads(s);
    if (ret >= 0 && s->call_rows)
        ret = calls_write(s->experiment.dir, s->call_rows);
    if (ret < 0) {
        spawn_cancel(child);
        return plan_refused(s, s->name, ret);
    }
    ret = s->request->stopped ? spawn_stop(child) : 0;
    if (ret < 0) {
        spawn_cancel(child);
        err_warn("-x: the target cannot be left stopped: %s", strerror(-ret));
        return STATUS_FAILED;
    }
    s->start = moment_now(s->host.tsc);
    ctl->tick = s->start.tick;
    ctl->mono = s->start.mono;
    head_run(s);
    prepare_log_missing(s);
    counter_start_totals(&s->counters, s->pid, COUNTER_FROM_EXEC);
    regions_start(&s->regions, s);
    start_outside(s);
    kernel_start(s, s, 0);
    child->tracer = s->outside.stops ? s->outside.worker.pid : 0;
    ret = spawn_go(child);
    if (ret < 0) {
        outside_stop(s);
        kernel_stop(s);
    }
    return ret < 0 ? exec_failed(s, ret) : 0;
}

/*
 * Make the process that will exec the target: a child, or (run_beside()) the process
 * that this one was forked from.
 */
static int
make_process(struct recording *s, struct spawn *child, char **env)
{
    if (!env)
        return -ENOMEM;
    if (child->order)
        return spawn_order(child, s->program, s->request->target, env,
                           s->preflight.shell);
    return spawn_wait(child, s->program, s->request->target, env, s->preflight.shell);
}

static int
launch(struct recording *s, struct spawn *child)
{
    char **env;
    int ret, status;

    if (s->request->jit && jit_environment() < 0)
        err_warn("runtimes cannot be asked for their functions: no memory");
    env = environ_make(environ, *s->library ? s->library : NULL, s->path, &s->params);
    ret = make_process(s, child, env);
    free(env);
    if (ret < 0) {
        err_warn("no process for the target: %s", strerror(-ret));
        status = STATUS_FAILED;
    } else {
        status = start(s, child);
    }
    if (status)
        experiment_discard(&s->experiment, s->parent, s->name);
    return status;
}

/* Exit as the target did. */
static int
leave(const siginfo_t *ended)
{
    if (ended->si_code == CLD_EXITED)
        return ended->si_status;
    signals_die(ended->si_status);
    return 128 + ended->si_status;
}

static void
attend(struct recording *s, siginfo_t *ended)
{
    struct rusage rusage;

    s->family = family_start(s);
    prepare_descriptors();
    heapscan_start(s);
    signals_serve(s->pid, &s->experiment.ctl->want);
    /*
     * The target may have ended before signals were served: have the main loop look at
     * once.
     */
    __atomic_fetch_or(&s->experiment.ctl->want, SIGNALS_WAKE, __ATOMIC_RELEASE);
    err_print("Creating experiment directory %s (Process ID: %d) ...", s->shown,
              (int)s->pid);
    if (s->request->stopped)
        err_print("It is stopped: gdb -p %d attaches to it, kill -CONT %d has it go "
                  "on.", (int)s->pid, (int)s->pid);
    serve(s, ended, &rusage);
    outside_stop(s);
    kernel_stop(s);
    signals_stop();
    finish_experiment(s, ended, &rusage);
    regions_end(&s->regions);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Do everything up to the target's exec. 0 or an exit status. */
static int
begin(struct recording *s, struct spawn *child)
{
    int status;

    host_read(&s->host);
    s->start = moment_now(s->host.tsc);
    status = plan_target(s);
    if (!status) {
        s->params.tsc = s->host.tsc ? moment_tsc_rate(&s->start) : 0;
        signals_set_up();
        status = prepare_experiment(s);
    }
    if (!status) {
        plan_print(s);
        status = launch(s, child);
    }
    return status;
}

int
run(const struct request *request)
{
    struct recording *s = calloc(1, sizeof(*s));
    struct spawn child = { 0 };
    siginfo_t ended = { 0 };
    int status;

    if (!s) {
        err_warn("no memory");
        return STATUS_FAILED;
    }
    s->request = request;
    status = begin(s, &child);
    if (status) {
        free(s);
        return status;
    }
    attend(s, &ended);
    group_add(s);
    finish_archive(s);
    err_print("er_print %s shows a summary.", s->shown);
    free(s);
    return leave(&ended);
}

/*
 * For run_beside(): the process that called it is the target, whose exec its debugger
 * waits for.
 */
static int
run_adopted(struct recording *s, struct spawn *child)
{
    int status = debugged_connect(s->request);

    if (!status && attach_watch(s->attach, child->pid) < 0)
        status = STATUS_FAILED;
    if (!status)
        status = begin(s, child);
    if (status)
        return status;
    return attached_attend(s);
}

int
run_beside(const struct request *request)
{
    struct recording *s = calloc(1, sizeof(*s));
    struct attach *a = calloc(1, sizeof(*a));
    struct spawn child;
    int status = STATUS_FAILED, ret = s && a ? spawn_beside(&child) : -ENOMEM;

    if (ret < 0) {
        err_warn("no process beside the target: %s", strerror(-ret));
    } else {
        a->pidfd = -1;
        s->request = request;
        s->pid = child.pid;
        s->attach = a;
        status = run_adopted(s, &child);
        attach_close(a);
    }
    free(a);
    free(s);
    return status;
}

int
run_dry(const struct request *request)
{
    struct recording *s = calloc(1, sizeof(*s));
    const char *wanted = NULL;
    int status = STATUS_FAILED, ret;

    if (!s)
        return status;
    s->request = request;
    status = plan_target(s);
    if (!status)
        status = plan_place(s, &wanted);
    if (!status) {
        ret = name_choose(s->parent, wanted, s->name);
        if (ret == 0)
            ret = plan_paths(s);
        status = ret < 0 ? plan_refused(s, wanted, ret) : 0;
    }
    if (!status) {
        err_print("Experiment: %s", s->shown);
        plan_print(s);
    }
    free(s);
    return status;
}
