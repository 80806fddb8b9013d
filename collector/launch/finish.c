/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/attach/attach.h"
#include "collector/launch/ending.h"
#include "collector/launch/family.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/keeper.h"
#include "collector/launch/page_copy.h"
#include "collector/launch/rank.h"
#include "collector/launch/samplepoint.h"
#include "collector/launch/signals.h"
#include "collector/launch/tail.h"
#include "collector/madecode/madecode.h"
#include "share/beside.h"
#include "share/err.h"
#include "share/logxml.h"

#define ARCHIVER "er_archive"

enum {
    ARCHIVER_WARNINGS = 6, /* its exit status if it has done what it could */
    END_ATTRS = 9,
    CLOCK_USUAL_NS = 1000000000,
    CLOCK_SLEW = 500, /* tolerate 1/500: adjtimex() slews a clock by up to 1/2000 */
};

/* Log if the clock of the day was set during the run; usual slewing is not reported. */
static void
put_clock(struct recording *s, const struct moment *now)
{
    int64_t run = (int64_t)(now->mono - s->start.mono);
    int64_t by = (int64_t)(now->wall - s->start.wall) - run;
    int64_t usual = CLOCK_USUAL_NS + run / CLOCK_SLEW;
    char text[32];

    if (by > -usual && by < usual)
        return;
    snprintf(text, sizeof(text), "%+.3f", (double)by / 1e9);
    (void)log_event(s->experiment.log, EVENT_clock_set, now->mono, text, NULL, NULL, 0);
}

/* CPU ns of the descendants, if each of them should have had an experiment; else 0. */
static u64
descendants_time(const struct recording *s, u32 flags)
{
    int all = s->request->follow && !s->request->follow_only && !*s->founder;

    return all && !(flags & (CTL_ENDED | CTL_PAUSED)) ? s->account.descendants : 0;
}

static int
put_end(struct recording *s, const siginfo_t *ended, u64 descendants)
{
    struct moment now = moment_now(s->host.tsc);
    int exited = ended->si_code == CLD_EXITED;
    u64 user = s->became ? s->became_user : s->account.user;
    u64 system = s->became ? s->became_system : s->account.system;
    char sizes[EXPERIMENT_SIZES];
    const struct log_attr attrs[END_ATTRS] = {
        { exited ? "status" : "signal", NULL, (u64)ended->si_status },
        { "user", NULL, user },
        { "system", NULL, system },
        { "total", NULL, s->became ? user + system : s->account.total },
        { "tick", NULL, now.tick },
        { "mono", NULL, now.mono },
        { "wall", NULL, now.wall },
        { "sizes", sizes, 0 },
        { "descendants", NULL, descendants },
    };
    char how[64];

    experiment_sizes(&s->experiment, sizes);
    put_clock(s, &now);
    ending_describe(ended, how, sizeof(how));
    return log_event(s->experiment.log, EVENT_end, now.mono, how, NULL, attrs,
                     END_ATTRS);
}

/* Report that the collector started, but could not open the experiment. */
static void
put_not_opened(struct recording *s, u32 error)
{
    (void)log_event(s->experiment.log, EVENT_not_opened, moment_mono(),
                    strerror((int)error), NULL, NULL, 0);
    err_warn("%s could not open the experiment (%s): only its resource use is recorded",
             s->request->target[0], strerror((int)error));
}

/* If the collector never started in the target, report that. */
static void
put_no_collector(struct recording *s)
{
    const struct ctl *ctl = s->experiment.ctl;
    const char *reason = s->no_library;

    if (__atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE) & CTL_ATTACHED ||
        (s->outside.started && !s->outside.only_children))
        return;
    if (ctl->error) {
        put_not_opened(s, ctl->error);
        return;
    }
    if (!reason)
        reason = image_reason(s->preflight.kind);
    (void)log_event(s->experiment.log, EVENT_no_collector, moment_mono(), reason, NULL,
                    NULL, 0);
    /* If preflight had found the reason, it was reported at the start. */
    if (!s->no_library)
        err_warn(
            "%s did not load the collector (%s): only its resource use is recorded%s",
            s->request->target[0], reason, image_remedy(reason));
}

/* Is the experiment still where it was made? If not, warn. */
static int
is_in_place(const struct recording *s)
{
    struct stat made, now;

    if (fstat(s->experiment.dir, &made) < 0)
        return 1;
    if (fstatat(s->parent, s->name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
        now.st_dev == made.st_dev && now.st_ino == made.st_ino)
        return 1;
    if (made.st_nlink)
        err_warn("%s was moved away during the run: there it is complete, but for "
                 "programs that were executed since, and for its archive, which "
                 "er_archive makes",
                 s->shown);
    else
        err_warn("%s was removed during the run: nothing is left of it", s->shown);
    return 0;
}

static void
end_heap(struct recording *s, const siginfo_t *ended)
{
    if (s->became || ending_left_by_exec(s))
        heapscan_end(s, heapscan_exec);
    else
        heapscan_end(s, ended->si_code == CLD_EXITED ? heapscan_unseen
                                                     : heapscan_killed);
}

/*
 * Close the experiment's files. error: 0, or -errno if the last event could not be
 * logged.
 */
static void
close_experiment(struct recording *s, int error)
{
    tail_put(&s->experiment);
    if (error < 0)
        err_warn("%s is incomplete: the end of its log cannot be written (%s)",
                 s->shown, strerror(-error));
    if (s->kept)
        experiment_trim_data(&s->experiment);
    else
        experiment_trim(&s->experiment);
    s->in_place = is_in_place(s);
    experiment_close(&s->experiment);
}

/*
 * End the family; if some of its processes still run, start a keeper for them, except
 * for MPI ranks.
 */
static void
end_family(struct recording *s, const siginfo_t *ended, u32 flags)
{
    size_t left = family_settle(s->family, ended, &s->account, flags);
    int keeper = left && !*s->founder ? keeper_start(s, finish_kept) : 0;

    s->kept = keeper > 0;
    if (s->kept) {
        family_print_running(s->family, "went on when the target had ended: recorded "
                                        "until the end, by process %d", keeper);
        family_hand_over(s->family);
    } else {
        if (left)
            family_print_running(s->family,
                                 "went on when the target had ended: recorded to the "
                                 "end, but not the processes made from now on");
        family_end(s->family);
    }
    s->family = NULL;
}

void
finish_experiment(struct recording *s, const siginfo_t *ended,
                  const struct rusage *rusage)
{
    u32 *flags = &s->experiment.ctl->flags;
    u32 before = __atomic_fetch_or(flags, CTL_ENDED, __ATOMIC_ACQ_REL);
    int error;

    page_copy_check(&s->experiment);
    account_close(&s->account, s->pid, rusage);
    /* If -t had ended the recording, the last sample point was taken then. */
    if (!(before & CTL_ENDED) && !s->became) {
        (void)overview_put(&s->overview, &s->experiment, moment_now(s->host.tsc),
                           CAUSE_END, &s->account, NULL);
        samplepoint_totals(s);
    }
    counter_log_end(&s->counters, &s->experiment);
    counter_end_totals(&s->counters);
    overview_end(&s->overview, &s->experiment);
    if (s->family)
        end_family(s, ended, before);
    end_heap(s, ended);
    madecode_end(s);
    tail_unsaid(&s->experiment, moment_mono());
    put_no_collector(s);
    ending_put_exec(s);
    error = put_end(s, ended, descendants_time(s, before));
    close_experiment(s, error);
}

static u64
less(u64 value, u64 base)
{
    return value > base ? value - base : 0;
}

static int
put_detached(struct recording *s, const char *how, int ended)
{
    struct moment now = moment_now(s->host.tsc);
    u64 system = less(s->account.use.system, s->base_system);
    u64 user = s->outside.started ? less(s->experiment.ctl->counted, system)
                                  : less(s->account.use.user, s->base_user);
    char sizes[EXPERIMENT_SIZES];
    const struct log_attr attrs[] = {
        { "tick", NULL, now.tick },
        { "mono", NULL, now.mono },
        { "wall", NULL, now.wall },
        { "sizes", sizes, 0 },
        /*
         * Left out for a process that has ended, unless it was sampled from outside:
         * the process itself may have recorded more time than collect could read before
         * the end.
         */
        { "user", NULL, user },
        { "system", NULL, system },
        { "total", NULL, user + system },
    };

    experiment_sizes(&s->experiment, sizes);
    put_clock(s, &now);
    return log_event(s->experiment.log, ended ? EVENT_end : EVENT_detached, now.mono,
                     how, NULL, attrs,
                     (int)ER_COUNT(attrs) - (ended && !s->outside.started ? 3 : 0));
}

void
finish_attached(struct recording *s, const char *how, int ended)
{
    u32 *flags = &s->experiment.ctl->flags;
    u32 before = __atomic_fetch_or(flags, CTL_ENDED, __ATOMIC_ACQ_REL);
    int error;

    page_copy_check(&s->experiment);
    if (!ended) {
        if (before & CTL_ENDED)
            account_read(&s->account, s->pid, 0);
        else
            samplepoint_take(s, CAUSE_END);
    }
    counter_log_end(&s->counters, &s->experiment);
    counter_end_totals(&s->counters);
    overview_end(&s->overview, &s->experiment);
    if (s->family && attach_has_ended(s->attach))
        end_family(s, NULL, before);
    else if (s->family)
        family_part(s->family, how);
    s->family = NULL;
    tail_unsaid(&s->experiment, moment_mono());
    error = put_detached(s, how, ended);
    close_experiment(s, error);
}

/* Start er_archive with collect's output, and with default signal handling. */
static int
start_archiver(char **argv, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t all, none;
    int ret;

    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, err_fd(), STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ret = -posix_spawn(pid, argv[0], &files, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return ret;
}

/* The path of er_archive, which is beside collect. */
static int
archiver(char path[PATH_MAX])
{
    int ret = beside_path(path, ARCHIVER);

    return ret == 0 && access(path, X_OK) < 0 ? -errno : ret;
}

void
finish_archive(const struct recording *s)
{
    char path[PATH_MAX], mode[8], experiment[PATH_MAX];
    char *argv[] = { path, (char[]){ "-q" }, (char[]){ "-A" }, mode, experiment, NULL };
    int ret = archiver(path), status = 0;
    pid_t pid;

    /*
     * The founder's experiment has the archives of all ranks: collect of the last rank
     * makes them.
     */
    if (*s->founder && !rank_end(s))
        return;
    if (!s->request->archive || !s->in_place)
        return;
    snprintf(mode, sizeof(mode), "%s", s->request->archive);
    snprintf(experiment, sizeof(experiment), "%s", s->path);
    if (*s->founder && strrchr(experiment, '/'))
        *strrchr(experiment, '/') = '\0';
    if (ret == 0)
        ret = start_archiver(argv, &pid);
    if (ret < 0) {
        err_warn("%s has no archive: " ARCHIVER " cannot be run (%s)", s->shown,
                 strerror(-ret));
        return;
    }
    signals_serve(pid, NULL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    signals_stop();
    if (WIFEXITED(status) && WEXITSTATUS(status) == ARCHIVER_WARNINGS)
        err_warn("%s has no complete archive: some files that ran could not be read, "
                 "or have changed (" ARCHIVER " names them)", s->shown);
    else if (status)
        err_warn("%s has no complete archive: " ARCHIVER " failed", s->shown);
}

void
finish_kept(struct recording *s)
{
    (void)unlinkat(s->experiment.dir, EXPERIMENT_CONTROL, 0);
    s->in_place = is_in_place(s);
    finish_archive(s);
}
