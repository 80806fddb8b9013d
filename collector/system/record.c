/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/system/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/ending.h"
#include "collector/launch/finish.h"
#include "collector/launch/head.h"
#include "collector/launch/plan.h"
#include "collector/launch/pool.h"
#include "collector/launch/prepare.h"
#include "collector/launch/signals.h"
#include "collector/launch/spawn.h"
#include "collector/launch/status.h"
#include "collector/outside/process.h"
#include "collector/system/census.h"
#include "collector/system/part.h"
#include "share/err.h"
#include "share/logxml.h"

enum {
    PARTS_MOST = 256,     /* experiments of processes that are written at once */
    QUIET_NS = 1000000000, /* ns; a part without hits for so long may be closed */
    SETTLE_NS = 1000000,  /* ns; a record is in its ring after so long at the latest */
    LOOK_NS = 200000000,  /* ns between two searches for processes that have ended */
    WAIT_MS = 20,         /* ms; the rings are read at least so often */
    FIRST = -19, /* the priority for setpriority(2), where this is permitted */
};

/* The last hit on a processor. */
struct hit {
    u64 mono; /* 0 = not known */
    u32 tid;
};

struct run {
    struct recording *s; /* the machine's */
    struct rings rings;
    struct census census;
    struct part *machine;
    struct part *part; /* list of processes' parts, also of stopped ones */
    u32 parts;         /* how many of these are not stopped */
    u64 looked;      /* CLOCK_MONOTONIC ns of the last find_ended() */
    struct hit *hit; /* the last one of each processor */
    u32 cpus;
    u64 lost;    /* records lost by the rings, as of the last hit */
    u64 rest;    /* ns of hits in programs for which no part could be made */
    int error;   /* -errno: why the last of these parts could not be made */
    struct spawn child;
    siginfo_t ended; /* how the command has ended */
    u32 want;    /* signals_serve() sets bits in it; not read here */
    unsigned char record[RING_RECORD];
};

/* The beginning of PERF_RECORD_COMM. */
struct who {
    struct perf_event_header header;
    u32 pid, tid;
};

/* The beginning of PERF_RECORD_FORK and PERF_RECORD_EXIT. */
struct birth {
    struct perf_event_header header;
    u32 pid, ppid, tid, ptid;
};

static void
stop_part(struct run *r, struct census_process *p, int ended, const char *how)
{
    if (!p || !p->part)
        return;
    part_stop(p->part, ended, how);
    p->part = NULL;
    r->parts--;
}

/*
 * Stop the part without hits for the longest time. 1; 0 = none was quiet for QUIET_NS.
 */
static int
make_way(struct run *r, u64 now)
{
    struct part *oldest = NULL;

    for (struct part *part = r->part; part; part = part->next)
        if (!part->over && (!oldest || part->last < oldest->last))
            oldest = part;
    if (!oldest || oldest->last + QUIET_NS > now)
        return 0;
    stop_part(r, census_find(&r->census, (u32)oldest->s->pid), 0,
              "others needed its place");
    return 1;
}

/*
 * The part to which a process's samples go: the machine's, if the process is not of
 * kind CENSUS_PROGRAM, or if no part could be made for it.
 */
static struct part *
part_of(struct run *r, struct census_process *p, u64 mono, u64 weight)
{
    int ret;

    if (!p || p->kind != CENSUS_PROGRAM)
        return r->machine;
    if (p->part)
        return p->part;
    ret = r->parts < PARTS_MOST || make_way(r, mono)
              ? part_start(&p->part, r->s, p, r->rings.stack)
              : -EUSERS;
    if (ret < 0) {
        r->rest += weight;
        r->error = ret;
        return r->machine;
    }
    p->part->next = r->part;
    r->part = p->part;
    r->parts++;
    return p->part;
}

/*
 * The weight of a hit, in ns. Each processor has one hit per period, even when idle. If
 * a hit is late and the hit before it was in the same thread, a virtual processor was
 * probably suspended: the hit also stands for the missing ones. If the thread is
 * another, or samples were lost, it is not known what ran in between: the weight is one
 * period.
 */
static u64
weigh(struct run *r, const struct ring_sample *sample, u64 mono)
{
    const u64 period = r->s->params.clock_ns;
    struct hit *last;
    u64 passed = 0;

    if (r->rings.lost != r->lost)
        memset(r->hit, 0, r->cpus * sizeof(*r->hit));
    r->lost = r->rings.lost;
    /*
     * Take one period: with -G, the missing hits may be of processes outside the group,
     * which have none.
     */
    if (sample->cpu >= r->cpus || r->s->request->cgroup)
        return period;
    last = &r->hit[sample->cpu];
    if (last->mono && mono > last->mono && last->tid == sample->tid)
        passed = mono - last->mono;
    *last = (struct hit){ mono, sample->tid };
    return passed > period ? (passed + period / 2) / period * period : period;
}

static void
add_sample(struct run *r, u64 mono)
{
    struct ring_sample sample;
    struct part *part;
    u64 weight;

    if (!ring_sample(r->record, &sample))
        return;
    weight = weigh(r, &sample, mono);
    part = part_of(r, census_get(&r->census, sample.pid, mono), mono, weight);
    part->last = mono;
    if (sample.in_kernel)
        part->system += weight;
    else
        part->user += weight;
    part_feed(part, r->record, mono, weight);
}

static void
add_mapping(struct run *r, u64 mono)
{
    struct mirror_mapping mapping;
    struct census_process *p;
    u32 pid;

    if (!process_read_mapping(r->record, mono, &pid, &mapping))
        return;
    p = census_get(&r->census, pid, mono);
    if (p)
        census_map(p, &mapping);
    if (p && p->part)
        part_feed(p->part, r->record, mono, 0);
}

static void
read_name(struct run *r, u64 mono)
{
    struct who who;
    const char *name;
    struct census_process *p;

    memcpy(&who, r->record, sizeof(who));
    name = process_text(r->record, sizeof(who), who.header.size);
    p = name ? census_get(&r->census, who.pid, mono) : NULL;
    if (!p)
        return;
    if (who.header.misc & PERF_RECORD_MISC_COMM_EXEC) {
        stop_part(r, p, 1, "it became another program");
        census_exec(p, name, mono);
        return;
    }
    if (who.pid == who.tid)
        census_name(p, name);
    if (p->part)
        part_feed(p->part, r->record, mono, 0);
}

static void
read_birth(struct run *r, u64 mono)
{
    struct census_process *p;
    struct birth birth;

    memcpy(&birth, r->record, sizeof(birth));
    p = census_find(&r->census, birth.pid);
    if (birth.header.type == PERF_RECORD_FORK) {
        if (birth.pid != birth.tid)
            return;
        stop_part(r, p, 1, "its parent alone knows how");
        census_fork(&r->census, birth.pid, birth.ppid, mono);
        return;
    }
    if (p && birth.pid == birth.tid)
        p->gone = mono;
    part_feed(p && p->part ? p->part : r->machine, r->record, mono, 0);
}

static void
read_record(struct run *r, u64 mono)
{
    struct perf_event_header header;

    memcpy(&header, r->record, sizeof(header));
    switch (header.type) {
    case PERF_RECORD_SAMPLE:
        add_sample(r, mono);
        break;
    case PERF_RECORD_MMAP2:
        add_mapping(r, mono);
        break;
    case PERF_RECORD_COMM:
        read_name(r, mono);
        break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        read_birth(r, mono);
        break;
    default:
        break;
    }
}

static void
drain(struct run *r, int all)
{
    u64 until = all ? ~0ull : moment_mono() - SETTLE_NS, mono;

    while (rings_next(&r->rings, until, r->record, &mono))
        read_record(r, mono);
}

/* Close the parts whose writers have ended, and serve the others. */
static void
sweep(struct run *r)
{
    struct part **link = &r->part;

    while (*link) {
        struct part *part = *link;

        if (part->over && part_is_over(part)) {
            *link = part->next;
            part_close(part);
        } else {
            part_serve(part);
            link = &part->next;
        }
    }
    part_serve(r->machine);
}

/*
 * The kernel reports the end of a thread, not of a process. Stop the part of a process
 * whose first thread has ended, if its pid is free or it had no hits for QUIET_NS. If
 * its pid is free, also remove it from the census.
 */
static void
find_ended(struct run *r, u64 now)
{
    if (now - r->looked < LOOK_NS)
        return;
    r->looked = now;
    for (u32 i = 0; i < CENSUS_SLOTS; i++)
        for (struct census_process *p = r->census.slot[i], *next; p; p = next) {
            int is_gone = p->gone && p->gone + LOOK_NS < now &&
                          kill((pid_t)p->pid, 0) < 0 && errno == ESRCH;

            next = p->next;
            if (is_gone || (p->gone && p->part && p->part->last + QUIET_NS < now))
                stop_part(r, p, 1, "its parent alone knows how");
            if (is_gone)
                census_remove(&r->census, p);
        }
}

static int
is_over(struct run *r)
{
    const struct request *request = r->s->request;

    if (request->target) {
        r->ended.si_pid = 0;
        return waitid(P_PID, (id_t)r->child.pid, &r->ended,
                      WEXITED | WNOWAIT | WNOHANG) == 0 &&
               r->ended.si_pid == r->child.pid;
    }
    return signals_leave() || (request->end_ns &&
                               moment_mono() >= r->s->start.mono + request->end_ns);
}

static void
serve(struct run *r)
{
    struct pollfd *fds = calloc(r->rings.count + 1, sizeof(*fds));

    for (u32 i = 0; fds && i < r->rings.count; i++)
        fds[i] = (struct pollfd){ .fd = r->rings.ring[i].fd, .events = POLLIN };
    while (!is_over(r)) {
        (void)poll(fds, fds ? r->rings.count : 0, WAIT_MS);
        drain(r, 0);
        sweep(r);
        find_ended(r, moment_mono());
    }
    free(fds);
    rings_stop(&r->rings);
    drain(r, 1);
}

static void
log_lost(const struct run *r)
{
    char text[32];

    if (r->rest) {
        snprintf(text, sizeof(text), "%.3f", (double)r->rest / 1e9);
        (void)log_event(r->s->experiment.log, EVENT_machine_rest, moment_mono(), text,
                        r->error == -EUSERS ? "more processes were at work at once "
                                              "than are walked"
                                            : strerror(-r->error),
                        NULL, 0);
    }
    if (!r->rings.lost)
        return;
    snprintf(text, sizeof(text), "%llu", (unsigned long long)r->rings.lost);
    (void)log_event(r->s->experiment.log, EVENT_outside_lost, moment_mono(), text, NULL,
                    NULL, 0);
}

static void
finish(struct run *r)
{
    char how[64] = "asked by the user";
    struct recording *s = r->s;

    if (s->request->target)
        ending_describe(&r->ended, how, sizeof(how));
    else if (!signals_leave())
        snprintf(how, sizeof(how), "the time of -d");
    for (u32 i = 0; i < CENSUS_SLOTS; i++)
        for (struct census_process *p = r->census.slot[i]; p; p = p->next)
            stop_part(r, p, p->gone != 0, p->gone ? "its parent alone knows how"
                                                  : "the process ran on");
    part_stop(r->machine, 0, how);
    while (r->part) {
        sweep(r);
        usleep(1000);
    }
    while (!part_is_over(r->machine))
        usleep(1000);
    log_lost(r);
    pool_end();
    s->in_place = 1;
    part_close(r->machine);
}

static int
write_heads(struct recording *s)
{
    char wd[PATH_MAX], *alone[] = { (char[]){ "er_kernel" }, NULL };
    struct head_process process = {
        .ppid = getppid(),
        .wd = getcwd(wd, sizeof(wd)) ? wd : "",
        .args = s->request->target ? s->request->target : alone,
    };
    int ret = head_log(s, &process);

    if (ret == 0)
        ret = head_map(s);
    return ret == 0 ? head_notes(s) : ret;
}

/* Map the rings, which starts sampling, and write the heads of the experiment. */
static int
begin(struct run *r)
{
    struct recording *s = r->s;
    int ret;

    r->cpus = (u32)sysconf(_SC_NPROCESSORS_CONF);
    r->hit = calloc(r->cpus, sizeof(*r->hit));
    if (!r->hit)
        return -ENOMEM;
    kernel_frames_preload();
    /*
     * Take a high priority: on a busy machine, the rings would overflow while this
     * process waits to run.
     */
    (void)setpriority(PRIO_PROCESS, 0, FIRST);
    pool_start(s->experiment.dir);
    ret = rings_map(&r->rings, 0);
    s->start = moment_now(s->host.tsc);
    census_start(&r->census, s->start.mono);
    if (ret == 0)
        ret = write_heads(s);
    return ret == 0 ? part_start_machine(&r->machine, s, r->rings.stack) : ret;
}

/* Explain to the user why the kernel refused perf events; returns an exit status. */
static int
refused(const struct recording *s, int error)
{
    if (error == -ENOSYS)
        err_warn("this kernel has no perf events, by which processes are sampled");
    else if (error != -EACCES && error != -EPERM)
        err_warn("the processors cannot be sampled: %s", strerror(-error));
    else if (geteuid() == 0)
        err_warn("the kernel refuses perf events also to root here, as in containers: "
                 "run er_kernel outside, or give the container CAP_PERFMON and a "
                 "seccomp profile that permits perf_event_open");
    else
        err_warn("this user may not sample all processes: run er_kernel as root or "
                 "with CAP_PERFMON, or have root set kernel.perf_event_paranoid to 0, "
                 "which is %d (sysctl kernel.perf_event_paranoid=0)",
                 s->host.paranoid);
    return STATUS_NOT_ATTACHED;
}

static int
start_command(struct run *r)
{
    struct recording *s = r->s;
    int ret;

    if (!s->request->target) {
        signals_serve_attached(&r->want);
        return 0;
    }
    ret = spawn_go(&r->child);
    if (ret < 0) {
        err_warn("'%s' cannot be executed: %s", s->request->target[0], strerror(-ret));
        return STATUS_NOT_RUNNABLE;
    }
    signals_serve(r->child.pid, &r->want);
    return 0;
}

/*
 * Record all, and finish. The experiment must exist, and the command be forked and
 * waiting. Returns an exit status.
 */
static int
record_all(struct run *r)
{
    struct recording *s = r->s;
    int ret = begin(r), status;

    if (ret < 0) {
        if (s->request->target)
            spawn_cancel(&r->child);
        experiment_discard(&s->experiment, s->parent, s->name);
        return plan_refused(s, s->name, ret);
    }
    prepare_descriptors();
    err_print("Creating experiment directory %s ...", s->shown);
    status = start_command(r);
    if (!status)
        serve(r);
    finish(r);
    signals_stop();
    if (status)
        return status;
    if (s->request->target)
        (void)waitpid(r->child.pid, NULL, 0);
    finish_archive(s);
    err_print("er_print %s shows a summary.", s->shown);
    if (!s->request->target)
        return 0;
    if (r->ended.si_code == CLD_EXITED)
        return r->ended.si_status;
    signals_die(r->ended.si_status);
    return 128 + r->ended.si_status;
}

static int
plan(struct run *r)
{
    struct recording *s = r->s;
    const char *cgroup = s->request->cgroup;
    int ret, group = -1;

    host_read(&s->host);
    s->start = moment_now(s->host.tsc);
    s->pid = r->census.own = getpid();
    s->params.clock_ns = s->request->clock_ns;
    s->params.tsc = s->host.tsc ? moment_tsc_rate(&s->start) : 0;
    ret = s->request->target ? plan_program(s) : 0;
    if (ret)
        return ret;
    if (cgroup)
        group = open(cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cgroup && group < 0) {
        err_warn("-G: '%s' cannot be opened: %s", cgroup, strerror(errno));
        return STATUS_USAGE;
    }
    ret = rings_open_machine(&r->rings, s->params.clock_ns, group);
    if (group >= 0)
        close(group);
    if (ret == -EBADF || (ret == -ENOENT && cgroup)) {
        err_warn("-G: '%s' is no control group that can be sampled: name one below a "
                 "cgroup file system, of version 2 or of perf_event", cgroup);
        return STATUS_USAGE;
    }
    return ret < 0 ? refused(s, ret) : 0;
}

int
record(const struct request *request)
{
    struct run *r = calloc(1, sizeof(*r));
    struct recording *s = calloc(1, sizeof(*s));
    int status = STATUS_FAILED, ret = 0;

    if (!r || !s) {
        err_warn("no memory");
        return STATUS_FAILED;
    }
    r->s = s;
    s->request = request;
    status = plan(r);
    if (!status) {
        signals_set_up();
        status = prepare_experiment(s);
    }
    if (!status && request->target)
        ret = spawn_wait(&r->child, s->program, request->target, environ, 1);
    if (ret < 0) {
        err_warn("no process for the command: %s", strerror(-ret));
        experiment_discard(&s->experiment, s->parent, s->name);
        status = STATUS_FAILED;
    }
    if (!status)
        status = record_all(r);
    rings_close(&r->rings);
    free(r->hit);
    free(s);
    free(r);
    return status;
}
