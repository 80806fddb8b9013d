/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/attached.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/attach/attach.h"
#include "collector/attach/debugger.h"
#include "collector/attach/proc.h"
#include "collector/attach/refuse.h"
#include "collector/attach/sandbox.h"
#include "collector/launch/attached_state.h"
#include "collector/launch/prepare.h"
#include "collector/launch/requester.h"
#include "collector/launch/calls.h"
#include "collector/launch/debugged.h"
#include "collector/launch/family.h"
#include "collector/launch/finish.h"
#include "collector/launch/group.h"
#include "collector/launch/head.h"
#include "collector/launch/member.h"
#include "collector/launch/plan.h"
#include "collector/launch/serve.h"
#include "collector/launch/settle.h"
#include "collector/launch/signals.h"
#include "collector/launch/status.h"
#include "collector/outside/kernel.h"
#include "collector/outside/outside.h"
#include "share/err.h"
#include "share/filter.h"
#include "share/fmt.h"
#include "share/logxml.h"

enum { ARGUMENT_BYTES = 65536, ARGUMENTS = 1024 };

/* The command line of another process. */
struct words {
    char text[ARGUMENT_BYTES];
    char *arg[ARGUMENTS + 1];
};

static int
not_attached(const char *why)
{
    err_warn("%s", why);
    return STATUS_NOT_ATTACHED;
}

static int
write_heads(struct recording *s, struct words *w)
{
    char link[64], wd[PATH_MAX];
    struct head_process process = { .wd = wd, .args = w->arg };
    ssize_t len;
    int ret;

    snprintf(link, sizeof(link), "/proc/%d/cwd", (int)s->pid);
    len = readlink(link, wd, sizeof(wd) - 1);
    wd[len > 0 ? len : 0] = '\0';
    process.ppid = (pid_t)account_stat_field(s->pid, STAT_PARENT);
    ret = head_log(s, &process);
    if (ret == 0)
        ret = head_map(s);
    return ret == 0 ? head_notes(s) : ret;
}

/*
 * Give the files to the process's user, if that is another one: only root can attach to
 * other users' processes.
 */
void
attached_hand_over(const struct recording *s)
{
    char path[64];
    struct stat st;
    int fds[FILE_COUNT + 3], n = 0;

    snprintf(path, sizeof(path), "/proc/%d", (int)s->pid);
    if (geteuid() != 0 || stat(path, &st) < 0 || st.st_uid == 0)
        return;
    fds[n++] = s->experiment.dir;
    fds[n++] = s->experiment.log;
    fds[n++] = s->experiment.map;
    for (int i = 0; i < FILE_COUNT; i++)
        if (s->experiment.file[i] >= 0)
            fds[n++] = s->experiment.file[i];
    for (int i = 0; i < n; i++)
        (void)!fchown(fds[i], st.st_uid, st.st_gid);
    (void)!fchownat(s->experiment.dir, EXPERIMENT_CONTROL, st.st_uid, st.st_gid,
                    AT_SYMLINK_NOFOLLOW);
    (void)!fchownat(s->experiment.dir, EXPERIMENT_CALLS, st.st_uid, st.st_gid,
                    AT_SYMLINK_NOFOLLOW);
}

/*
 * If a Java machine runs in the process, create the file for code made at run time: the
 * launcher cannot do that while it waits for the agent.
 */
static int
make_madecode(struct recording *s)
{
    const struct images *all = &s->attach->images;

    for (u32 i = 0; i < all->count && !s->params.no_java; i++) {
        const char *slash = strrchr(all->image[i].path, '/');

        if (slash && !strcmp(slash, "/libjvm.so"))
            return experiment_grow(&s->experiment, FILE_madecode, ER_SEGMENT);
    }
    return 0;
}

/* Prepare everything that does not change the target. */
static int
prepare(struct recording *s, struct words *w)
{
    struct ctl *ctl = s->experiment.ctl;
    int ret;

    ctl->pid = (u32)s->pid;
    requester_start(s->experiment.dir);
    ctl->waiting = 1;
    counter_hand_over(&s->counters, ctl);
    if (s->params.paused)
        ctl->flags |= CTL_PAUSED;
    ret = write_heads(s, w);
    if (ret == 0 && s->call_rows)
        ret = calls_write(s->experiment.dir, s->call_rows);
    if (ret == 0)
        ret = make_madecode(s);
    if (ret < 0)
        return ret;
    s->start = moment_now(s->host.tsc);
    ctl->tick = s->start.tick;
    ctl->mono = s->start.mono;
    head_run(s);
    prepare_log_missing(s);
    if (!s->outside.wanted)
        attached_hand_over(s);
    return 0;
}

static const char *
why_not(const struct attach *a, int error, char text[800])
{
    switch (-error) {
    case EAGAIN:
        if (debugger_pid()) {
            snprintf(text, 800,
                     "the thread that was stopped is in the loader or an allocator, "
                     "where it cannot load the collector: have it come out (finish)");
            break;
        }
        snprintf(text, 800,
                 "no thread of process %d came to a place where it can be made to load "
                 "the collector: try again",
                 (int)a->pid);
        break;
    case EBUSY:
        snprintf(text, 800, "process %d is recorded already", (int)a->pid);
        break;
    case ESRCH:
        snprintf(text, 800, "process %d has ended", (int)a->pid);
        break;
    case EPERM:
        if (attach_is_over(a))
            snprintf(text, 800, "process %d has ended", (int)a->pid);
        else
            (void)refuse_by_kernel(a->pid, text, 800);
        break;
    case EACCES:
    case ENOENT:
        snprintf(text, 800, "process %d cannot open %s: %s", (int)a->pid,
                 *a->why ? "the collector's library" : "the experiment (see -d)",
                 *a->why ? a->why : strerror(-error));
        break;
    case EIO:
        if (*debugger_reason()) {
            snprintf(text, 800, "process %d cannot be changed by the debugger: %s",
                     (int)a->pid, debugger_reason());
            break;
        }
        /* fall through */
    default:
        snprintf(text, 800, "the collector cannot be brought into process %d: %s",
                 (int)a->pid, *a->why ? a->why : strerror(-error));
    }
    return text;
}

static void
log_entered(struct recording *s)
{
    struct attach *a = s->attach;
    char threads[24], longest[24];
    u64 median, p99, most;

    attach_pauses(a, &median, &p99, &most);
    snprintf(threads, sizeof(threads), "%u", a->threads);
    snprintf(longest, sizeof(longest), "%llu", (unsigned long long)most / 1000);
    if (s->request->debugger) {
        (void)log_event(s->experiment.log, EVENT_entered_held, moment_mono(), threads,
                        NULL, NULL, 0);
        return;
    }
    (void)log_event(s->experiment.log, EVENT_entered, moment_mono(), threads, longest,
                    NULL, 0);
    if (s->request->verbose)
        err_print("%u stops of threads: median %llu us, 99 %% up to %llu us, longest "
                  "%s us", a->pause_count, (unsigned long long)median / 1000,
                  (unsigned long long)p99 / 1000, longest);
}

/*
 * Start the totals of the counters in all threads but the agent, `ours` (0 = none).
 * Threads that these create inherit the counters.
 */
static void
start_totals(struct recording *s, u32 ours)
{
    pid_t *tids;
    int n = s->counters.count ? proc_threads(s->pid, &tids) : 0, kept = 0;

    if (n <= 0)
        return;
    for (int i = 0; i < n; i++)
        if ((u32)tids[i] != ours)
            tids[kept++] = tids[i];
    counter_start_totals_of(&s->counters, tids, (u32)kept);
    free(tids);
}

static int
enter(struct recording *s)
{
    char params[1024], text[800];
    struct fmt f = fmt_start(params, sizeof(params) - 1);
    struct attach_order o = { .params = params,
                              .experiment = s->path,
                              .directory = s->experiment.dir };
    char *rest = s->library;
    int n = 0, ret;

    while (n < ATTACH_LIBRARIES && (o.libraries[n] = strsep(&rest, ":")))
        n++;
    if (s->params.follow && (!attach_sees(s->attach, s->path) ||
                             !attach_sees(s->attach, o.libraries[0]))) {
        err_warn("process %d has other mounts: what it starts is not recorded",
                 (int)s->pid);
        s->params.follow = 0;
    }
    params_format(&f, &s->params);
    *f.at = '\0';
    ret = attach_enter(s->attach, &o);
    if (ret < 0)
        return not_attached(why_not(s->attach, ret, text));
    s->base_user = attach_page(s->attach)->base_user;
    s->base_system = attach_page(s->attach)->base_system;
    start_totals(s, (u32)attach_agent(s->attach));
    attached_add_threads(s);
    log_entered(s);
    ret = attach_redirect(s->attach);
    if (ret < 0)
        err_warn("calls of process %d are not seen: %s", (int)s->pid, strerror(-ret));
    return 0;
}

/* Sample the process from outside, without loading anything into it. */
static int
sample_from_outside(struct recording *s)
{
    struct process_use before = { .total = 0 };
    char text[800];
    int ret;

    account_read(&before, s->pid, 0);
    s->base_user = before.use.user;
    s->base_system = before.use.system;
    s->outside.from_now = 1;
    start_totals(s, 0);
    ret = outside_start(s);
    if (ret == 0)
        return 0;
    snprintf(text, sizeof(text), "process %d cannot be sampled from outside: %s",
             (int)s->pid, strerror(-ret));
    return not_attached(text);
}

/* Detach from the process, if it still runs. Sets `how` to the reason for the log. */
static void
part(struct recording *s, char how[80])
{
    u64 median, p99, most;
    int ret;

    snprintf(how, 80, "%s",
             signals_leave() || debugged_leaves() ? "asked by the user"
                                                  : "the time of -t");
    s->attach->gone |= s->became;
    if (attach_is_over(s->attach)) {
        snprintf(how, 80, "%s", s->attach->gone ? "it became another program by exec"
                                                : "its parent alone knows how");
        return;
    }
    if (!s->attach->pages) {
        debugged_close(s);
        return;
    }
    debugged_part(s);
    s->attach->pause_count = 0;
    ret = attach_leave(s->attach);
    if (ret == -ESRCH)
        snprintf(how, 80, "its parent alone knows how");
    else if (ret < 0)
        err_warn("process %d is not quite as it was: %s", (int)s->pid, strerror(-ret));
    attach_pauses(s->attach, &median, &p99, &most);
    if (s->request->verbose)
        err_print("%u stops of threads: median %llu us, 99 %% up to %llu us, longest "
                  "%llu us",
                  s->attach->pause_count, (unsigned long long)median / 1000,
                  (unsigned long long)p99 / 1000, (unsigned long long)most / 1000);
}

int
attached_attend(struct recording *s)
{
    struct rusage rusage;
    siginfo_t ended;
    char how[80];

    signals_serve_attached(&s->experiment.ctl->want);
    s->family = family_start(s);
    prepare_descriptors();
    err_print("Creating experiment directory %s (Process ID: %d) ...", s->shown,
              (int)s->pid);
    debugged_begin(s);
    kernel_start(s, s, 1);
    serve(s, &ended, &rusage);
    part(s, how);
    debugged_end(s);
    outside_stop(s);
    kernel_stop(s);
    signals_stop();
    finish_attached(s, how, attach_is_over(s->attach));
    group_add(s);
    finish_archive(s);
    err_print("er_print %s shows a summary.", s->shown);
    return 0;
}

/*
 * 1, with why and *beyond set as by refuse(), if a sandbox of the process would refuse
 * the collector's system calls, or kill the process for them.
 */
static int
is_restricted(struct recording *s, char *why, size_t size, const char **beyond)
{
    u32 uses = FILTER_ENTER | FILTER_ALL;

    if (!s->request->trace[TRACE_io])
        uses &= ~(u32)FILTER_NAMES;
    if (!proc_has_our_mounts(s->pid))
        uses |= FILTER_HAND;
    s->attach->pid = s->pid;
    if (!sandbox_forbids(s->attach, uses))
        return 0;
    *beyond = s->attach->sandbox;
    snprintf(why, size, "process %d cannot load the collector: %s", (int)s->pid,
             s->attach->sandbox);
    return 1;
}

static int
plan(struct recording *s, struct words *w)
{
    char link[64], why[800];
    ssize_t len;
    const char *beyond;
    int ret;

    if (!s->request->debugger)
        settle_wait(s->pid);
    ret = refuse(s->pid, why, sizeof(why), &beyond) ||
          is_restricted(s, why, sizeof(why), &beyond);
    if (s->request->debugger)
        beyond = NULL;
    if (ret && (!beyond || !s->request->clock_ns || !outside_can(IMAGE_STATIC)))
        return not_attached(why);
    snprintf(link, sizeof(link), "/proc/%d/exe", (int)s->pid);
    len = readlink(link, s->program, sizeof(s->program) - 1);
    s->program[len > 0 ? len : 0] = '\0';
    account_read_args(s->pid, w->text, sizeof(w->text), w->arg, ARGUMENTS);
    ret = plan_attached(s, beyond);
    if (ret)
        return ret;
    ret = s->outside.wanted ? attach_watch(s->attach, s->pid)
                            : attach_open(s->attach, s->pid);
    return ret < 0 ? not_attached(why_not(s->attach, ret, why)) : 0;
}

static int
record(struct recording *s, struct words *w)
{
    int status = plan(s, w), ret;

    if (status)
        return status;
    if (s->request->dry) {
        plan_print(s);
        return 0;
    }
    s->params.tsc = s->host.tsc ? moment_tsc_rate(&s->start) : 0;
    signals_set_up();
    status = prepare_experiment(s);
    if (status)
        return status;
    plan_print(s);
    ret = prepare(s, w);
    status = ret < 0 ? plan_refused(s, s->name, ret)
             : s->outside.wanted ? sample_from_outside(s)
                                 : enter(s);
    if (status) {
        experiment_discard(&s->experiment, s->parent, s->name);
        return status;
    }
    return attached_attend(s);
}

int
attached_run(const struct request *request)
{
    struct recording *s = calloc(1, sizeof(*s));
    struct attach *a = calloc(1, sizeof(*a));
    struct words *w = calloc(1, sizeof(*w));
    int status = STATUS_FAILED;

    if (s && a && w && debugged_connect(request) == 0) {
        a->pidfd = -1;
        s->request = request;
        s->pid = request->pid;
        s->attach = a;
        host_read(&s->host);
        s->start = moment_now(s->host.tsc);
        status = record(s, w);
        attach_close(a);
    } else if (!s || !a || !w) {
        err_warn("no memory");
    }
    free(w);
    free(a);
    free(s);
    return status;
}
