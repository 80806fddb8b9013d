/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/halt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/inspect/account.h"
#include "collector/outside/cputime.h"
#include "collector/outside/stopped.h"
#include "collector/session/session.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/space.h"
#include "share/logxml.h"

enum {
    SHARE = 20, /* the next look comes after SHARE times the CPU time of one */
    MEAN_OF = 16,
    REFRESH_NS = 100000000, /* shortest time between two readings of the mappings */
    IDLE_NS = 20000000, /* time to the next look if the timer does not expire */
    BEGIN_NS = 500000, /* period of looking whether the exec has happened */
    STAT_BYTES = 1024,
    STAT_CODE = 26, /* of /proc/PID/stat: where the program's code begins */
    STAT_STACK = 28,
    STAT_CPU = 39,
};

/* Fields of /proc/PID/stat; the addresses show an exec, as they usually change then. */
struct seen {
    u64 code, stack;
    char name[32];
};

/* A thread of the target. */
struct halt_thread {
    u32 tid;
    u32 round; /* the last round that found it in /proc */
    u32 cpu;
    int pending; /* it was asked to stop, and has not yet */
    u64 ran;     /* CPU ns that it had used at its last hit */
    struct seen seen;
};

/* Identifies the program: a change shows that the process has executed another one. */
struct identity {
    dev_t dev;
    ino_t inode;
    u64 stack, code;
};

struct halt {
    struct recording *s;
    struct process process;
    struct thread_table threads;
    struct cputime cputime;
    struct identity identity;
    struct seen seen;  /* read when `identity` was last checked */
    struct halt_thread *thread;
    u32 count, room, round;
    clockid_t clock;   /* the process's CPU clock */
    u64 base, total;   /* CPU ns of the process: when recording began, and now */
    u64 traced;        /* hits that were not possible, as another process traces it */
    int timed;         /* a timer determines when to look */
    u64 looked;        /* CLOCK_MONOTONIC ns of the last look at the threads */
    u64 refreshed;     /* CLOCK_MONOTONIC ns when mappings were last read */
    u64 reading;       /* CPU ns spent reading mappings, since the last look began */
    u64 spent;         /* CPU ns of this helper when the last look began */
    u64 mean;          /* CPU ns of a look, on average over the looks before the last */
    struct mirror_mapping *known; /* mappings that were added to the mirror */
    u32 known_count, known_room;
    struct stopped stopped; /* the thread that has stopped */
};

static volatile sig_atomic_t is_due; /* the timer has expired */

static void
wake(int number)
{
    is_due |= number == SIGALRM;
}

/* Yama may restrict tracing: to ancestors of the process (1), or to root (2). */
static int
yama_scope(void)
{
    int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
    char text[8] = "0";

    if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
        *text = '0';
    if (fd >= 0)
        close(fd);
    return geteuid() == 0 && *text != '3' ? 0 : atoi(text);
}

int
halt_try(void)
{
    if (yama_scope() > 1)
        return -EPERM;
    /* No process has id 0: ESRCH shows that no seccomp filter refuses the call. */
    if (ptrace(PTRACE_SEIZE, 0, NULL, NULL) == 0 || errno == ESRCH)
        return 0;
    return -errno;
}

int
halt_check(pid_t pid, int ours)
{
    char text[4096], *at;

    if (!ours && yama_scope())
        return -EPERM;
    if (!account_read_text(pid, "status", text, sizeof(text)))
        return -ESRCH;
    at = strstr(text, "\nTracerPid:");
    return at && strtol(at + 11, NULL, 10) ? -EBUSY : 0;
}

static u64
cpu_time(clockid_t clock)
{
    struct timespec ts;

    return clock_gettime(clock, &ts) < 0
               ? 0 : (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

static int
identify(pid_t pid, struct identity *identity)
{
    char link[64];
    struct stat st;

    snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
    if (stat(link, &st) < 0)
        return -errno;
    *identity = (struct identity){
        st.st_dev, st.st_ino, account_stat_field(pid, (enum account_field)STAT_STACK),
        account_stat_field(pid, (enum account_field)STAT_CODE)
    };
    return identity->stack ? 0 : -ESRCH;
}

static struct halt_thread *
get(struct halt *h, u32 tid)
{
    for (u32 i = 0; i < h->count; i++)
        if (h->thread[i].tid == tid)
            return &h->thread[i];
    if (h->count == h->room) {
        u32 room = h->room ? 2 * h->room : 64;
        struct halt_thread *grown = reallocarray(h->thread, room, sizeof(*grown));

        if (!grown)
            return NULL;
        h->thread = grown;
        h->room = room;
    }
    h->thread[h->count] = (struct halt_thread){ .tid = tid };
    return &h->thread[h->count++];
}

static void
add_new(void *arg, const struct mirror_mapping *m)
{
    struct halt *h = arg;

    for (u32 i = 0; i < h->known_count; i++) {
        const struct mirror_mapping *k = &h->known[i];

        if (k->lo == m->lo && k->hi == m->hi && k->inode == m->inode &&
            k->offset == m->offset && k->major == m->major && k->minor == m->minor)
            return;
    }
    if (h->known_count == h->known_room) {
        u32 room = h->known_room ? 2 * h->known_room : 64;
        struct mirror_mapping *grown = reallocarray(h->known, room, sizeof(*grown));

        if (!grown)
            return;
        h->known = grown;
        h->known_room = room;
    }
    h->known[h->known_count] = *m;
    h->known[h->known_count++].name = NULL;
    mirror_add(&h->process.mirror, m);
}

/*
 * Read the mappings again, because a pc is in unknown code that was mapped since the
 * last reading. Does nothing for REFRESH_NS after that.
 */
static void
refresh(struct halt *h)
{
    u64 mono = h->process.now.mono, began;

    if (h->refreshed && mono - h->refreshed < REFRESH_NS)
        return;
    h->refreshed = mono;
    began = cpu_time(CLOCK_THREAD_CPUTIME_ID);
    process_each_mapping(h->s->pid, mono, add_new, h);
    h->reading += cpu_time(CLOCK_THREAD_CPUTIME_ID) - began;
}

/*
 * If the target has executed its program, or later another one: start over with that
 * program.
 */
static void
check_identity(struct halt *h)
{
    struct halt_thread *first;
    struct identity now;
    u64 mono = h->process.now.mono;

    if (identify(h->s->pid, &now) < 0 || (now.inode == h->identity.inode &&
        now.dev == h->identity.dev && now.stack == h->identity.stack &&
        now.code == h->identity.code))
        return;
    h->identity = now;
    if (!h->cputime.begun)
        h->base = cpu_time(h->clock);
    cputime_begin(&h->cputime);
    if (h->process.mirror.objects)
        mirror_clear(&h->process.mirror, mono);
    h->process.entry = 0;
    h->known_count = h->count = 0;
    h->refreshed = 0;
    refresh(h);
    first = get(h, (u32)h->s->pid);
    if (first)
        first->ran = stopped_time(h->s->pid, (u32)h->s->pid);
}

/* Read /proc/PID/task/TID/stat. 0, or -ESRCH: the thread has ended. */
static int
read_stat(const struct halt *h, struct halt_thread *t, char *state)
{
    char what[64], text[STAT_BYTES], *open, *close, *at;

    snprintf(what, sizeof(what), "task/%u/stat", t->tid);
    if (!account_read_text(h->s->pid, what, text, sizeof(text)))
        return -ESRCH;
    open = strchr(text, '(');
    close = strrchr(text, ')');
    if (!open || !close || close < open || strlen(close) < 3)
        return -ESRCH;
    *state = close[2];
    *close = '\0';
    snprintf(t->seen.name, sizeof(t->seen.name), "%s", open + 1);
    at = close + 2;
    for (int field = 3; field <= STAT_CPU && at; field++) {
        if (field == STAT_CODE)
            t->seen.code = strtoull(at, NULL, 10);
        if (field == STAT_STACK)
            t->seen.stack = strtoull(at, NULL, 10);
        if (field == STAT_CPU)
            t->cpu = (u32)strtoul(at, NULL, 10);
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return 0;
}

static int
is_same(const struct seen *a, const struct seen *b)
{
    return a->code == b->code && a->stack == b->stack;
}

static void
record_hit(struct halt *h, struct halt_thread *t, u64 weight)
{
    const struct ring_sample *sample = &h->stopped.sample;
    struct rec_clock clock = { .weight = weight };
    struct seen_thread *thread = threads_get(&h->threads, t->tid, sample->time);
    struct objtab_object object;

    if (!thread)
        return;
    if (!objtab_find(sample->regs[STOPPED_IP], &object))
        refresh(h);
    if (node_segment_wanted)
        space_more_nodes();
    threads_name(thread, t->seen.name, strlen(t->seen.name));
    clock.time = process_tick(&h->process, sample->time);
    clock.cpu = sample->cpu;
    clock.mstate = sample->in_kernel ? MSTATE_SYSTEM : MSTATE_USER;
    clock.node = process_walk(&h->process, sample);
    threads_hit(&h->threads, thread, &clock);
}

/* Ask a running or runnable thread to stop. A thread that waits is never stopped. */
static void
interrupt(struct halt *h, struct halt_thread *t)
{
    char state;
    int ret;

    if (t->pending || read_stat(h, t, &state) < 0)
        return;
    /* After an exec this forgets all threads: the next look finds them again. */
    if (!is_same(&t->seen, &h->seen)) {
        h->seen = t->seen;
        check_identity(h);
        return;
    }
    if (state != 'R')
        return;
    ret = stopped_begin(t->tid);
    h->traced += ret == -EPERM;
    t->pending = ret == 0;
}

static void
record_stop(struct halt *h, u32 tid, int status)
{
    struct halt_thread *t = NULL;
    char state;
    u64 ran;

    for (u32 i = 0; i < h->count; i++)
        if (h->thread[i].tid == tid && h->thread[i].pending)
            t = &h->thread[i];
    if (t)
        t->pending = 0;
    if (!WIFSTOPPED(status))
        return;
    h->stopped.is_go = h->process.mirror.go.count != 0;
    /* t is NULL if the thread got this id from another thread by an exec. */
    if (stopped_end(t ? &h->stopped : NULL, h->s->pid, tid, status) < 0 || !t)
        return;
    /* After an exec, the registers may be the old program's or the new one's. */
    if (read_stat(h, t, &state) < 0 || !is_same(&t->seen, &h->seen))
        return;
    ran = h->stopped.ran;
    h->process.now = moment_now(h->s->host.tsc);
    h->stopped.sample.time = h->process.now.mono;
    h->stopped.sample.cpu = t->cpu;
    if (ran > t->ran)
        record_hit(h, t, ran - t->ran);
    t->ran = ran > t->ran ? ran : t->ran;
}

/* Take the hits of all threads that have stopped by now. */
static void
record_stops(struct halt *h)
{
    pid_t tid;
    int status;

    while ((tid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
        record_stop(h, (u32)tid, status);
}

static void
drop_ended(struct halt *h)
{
    for (u32 i = h->count; i-- > 0;)
        if (h->thread[i].round != h->round) {
            threads_end(&h->threads, h->thread[i].tid,
                        process_tick(&h->process, h->process.now.mono),
                        h->process.now.mono);
            h->thread[i] = h->thread[--h->count];
        }
}

static void
interrupt_threads(struct halt *h)
{
    char path[64];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)h->s->pid);
    dir = opendir(path);
    if (!dir)
        return;
    h->round++;
    while ((entry = readdir(dir))) {
        u32 tid = (u32)strtoul(entry->d_name, NULL, 10);
        struct halt_thread *t = tid ? get(h, tid) : NULL;

        if (!t)
            continue;
        t->round = h->round;
        interrupt(h, t);
    }
    closedir(dir);
    drop_ended(h);
}

/*
 * Do one round of sampling: stop threads, but only if the process has used CPU time
 * since the last round.
 */
static void
sample_round(struct halt *h)
{
    u64 total = cpu_time(h->clock);

    h->process.now = moment_now(h->s->host.tsc);
    if (!h->cputime.begun)
        check_identity(h);
    if (!h->cputime.begun || total <= h->total)
        return;
    h->total = total;
    cputime_read(&h->cputime);
    interrupt_threads(h);
}

/*
 * Start the timer on the process's CPU clock: it expires at a kernel tick, while a
 * thread runs, so the hit is at a random place. With a timer of this helper's, the hit
 * would be where the thread had just been preempted by the helper.
 */
static void
start_timer(struct halt *h)
{
    u64 period = h->s->params.clock_ns;
    struct timespec each = { (time_t)(period / 1000000000u),
                             (long)(period % 1000000000u) };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    static timer_t timer;

    if (!h->timed && timer_create(h->clock, &event, &timer) < 0)
        return;
    h->timed = timer_settime(timer, 0, &(struct itimerspec){ each, each }, NULL) == 0;
}

/* Wait for `stop`, for a thread that stops (SIGCHLD), for the timer, or for `until`. */
static void
await(struct pollfd *fd, u64 until)
{
    u64 now = moment_mono(), wait = until > now ? until - now : 0;
    sigset_t none;

    sigemptyset(&none);
    (void)ppoll(fd, 1, &(struct timespec){ (time_t)(wait / 1000000000u),
                                           (long)(wait % 1000000000u) }, &none);
}

/*
 * CPU ns of a look, as a running average, so that one expensive look makes several of
 * the next ones a little later, instead of one much later. The cost of reading mappings
 * is left out: it arises once per mapping, and no thread is stopped in the meantime.
 */
static u64
cost_of_round(const struct halt *h)
{
    u64 last = cpu_time(CLOCK_THREAD_CPUTIME_ID) - h->spent - h->reading;

    return (MEAN_OF - 1) * (h->mean / MEAN_OF) + last / MEAN_OF;
}

static void
run_round(struct halt *h)
{
    h->mean = cost_of_round(h);
    h->spent = cpu_time(CLOCK_THREAD_CPUTIME_ID);
    h->reading = 0;
    h->looked = moment_mono();
    sample_round(h);
}

/* Look once a period, or less often if that limits the cost: see SHARE. */
static void
serve(struct halt *h, int stop)
{
    struct pollfd fd = { .fd = stop, .events = POLLIN };
    u64 period = h->s->params.clock_ns, next = 0, cost;
    int idle;

    while (!(fd.revents & (POLLIN | POLLHUP | POLLERR))) {
        record_stops(h);
        cost = SHARE * cost_of_round(h);
        if (h->looked + cost > next)
            next = h->looked + cost;
        idle = h->timed && !is_due && moment_mono() >= h->looked + IDLE_NS;
        if (moment_mono() >= next && (is_due || !h->timed || idle)) {
            is_due = 0;
            run_round(h);
            next = h->looked + (h->cputime.begun || period < BEGIN_NS ? period
                                : BEGIN_NS);
            /* An exec may have deleted the timer: start it again. */
            if (h->cputime.begun && (!h->timed || idle))
                start_timer(h);
        }
        fd.revents = 0;
        await(&fd, is_due || !h->timed ? next : h->looked + IDLE_NS);
    }
}

/* Begin. The CPU time that the threads have used up to now gets no hits. */
static void
begin(struct halt *h)
{
    char path[64];
    struct dirent *entry;
    DIR *dir;

    (void)identify(h->s->pid, &h->identity);
    if (!h->s->outside.from_now)
        return;
    cputime_begin(&h->cputime);
    refresh(h);
    snprintf(path, sizeof(path), "/proc/%d/task", (int)h->s->pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir))) {
        u32 tid = (u32)strtoul(entry->d_name, NULL, 10);
        struct halt_thread *t = tid ? get(h, tid) : NULL;

        if (t)
            t->ran = stopped_time(h->s->pid, tid);
    }
    if (dir)
        closedir(dir);
    h->base = h->total = cpu_time(h->clock);
    if (h->s->outside.begin)
        cputime_startup(&h->cputime, 0);
}

static void
finish(struct halt *h)
{
    const struct log_attr attr = { "hits", NULL, h->traced };
    u64 total = cpu_time(h->clock);

    if (total > h->total)
        h->total = total;
    h->process.now = moment_now(h->s->host.tsc);
    h->s->experiment.ctl->counted = h->total > h->base ? h->total - h->base : 0;
    cputime_close(&h->cputime);
    if (h->traced)
        (void)log_event(h->s->experiment.log, EVENT_outside_traced,
                        h->process.now.mono, NULL, NULL, &attr, 1);
    threads_end_all(&h->threads, process_tick(&h->process, h->process.now.mono),
                    h->process.now.mono);
}

void
halt_run(struct recording *s, struct rings *rings, int ready, int stop)
{
    struct halt *h = calloc(1, sizeof(*h));
    pid_t launcher = getppid();
    sigset_t child;
    int ret = 0;

    if (!h)
        _exit(ENOMEM);
    (void)rings;
    h->s = s;
    s->outside.stops = 1;
    h->cputime = (struct cputime){ s, &h->process, &h->threads, 0, 0, 0 };
    prctl(PR_SET_NAME, "collect-outside", 0, 0, 0);
    /* Only the launcher enlarges the files, so let this process end with it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigaddset(&child, SIGALRM);
    sigprocmask(SIG_BLOCK, &child, NULL);
    sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = wake }, NULL);
    sigaction(SIGALRM, &(struct sigaction){ .sa_handler = wake }, NULL);
    /* Let the kernel time waits exactly: looks should be a period apart. */
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
    if (getppid() != launcher || clock_getcpuclockid(s->pid, &h->clock))
        ret = -ESRCH;
    if (ret == 0)
        ret = stopped_init(&h->stopped, s->pid);
    if (ret == 0)
        ret = process_open(&h->process, s, STOPPED_STACK);
    if (ret < 0)
        _exit(-ret);
    h->process.now = moment_now(s->host.tsc);
    begin(h);
    (void)!write(ready, "", 1);
    close(ready);
    serve(h, stop);
    finish(h);
    _exit(0);
}
