/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/kernel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "collector/outside/process.h"
#include "collector/outside/threads.h"
#include "collector/outside/worker.h"
#include "collector/session/session.h"
#include "collector/sig/node.h"
#include "collector/sig/space.h"
#include "share/err.h"
#include "share/logxml.h"

enum {
    SETTLE_NS = 1000000, /* a record is in its ring at most so long after its time */
    FIRST_ID = 0x20000000, /* first load instance id; the target uses lower ones */
};

struct beside {
    struct recording *s;
    struct rings *rings;
    struct process process;
    char ours[sizeof(((struct recording *)NULL)->library)]; /* see struct mirror */
    struct thread_table threads;
    int begun; /* the target has executed its program */
    int over;  /* it has executed a further one, which has an experiment of its own */
    unsigned char record[RING_RECORD];
};

/* The collector's libraries, in the form of LD_PRELOAD. */
static char libraries[sizeof(((struct recording *)NULL)->library)];

/* Head of PERF_RECORD_COMM; PERF_RECORD_EXIT has a ppid between pid and tid. */
struct who {
    struct perf_event_header header;
    u32 pid, tid;
};

static void
record_sample(struct beside *b)
{
    struct rec_clock clock = { .weight = b->s->params.clock_ns,
                               .mstate = MSTATE_KERNEL };
    struct seen_thread *thread;
    struct ring_sample sample;

    if (!ring_sample(b->record, &sample) || sample.pid != (u32)b->s->pid ||
        !sample.in_kernel || rings_is_double(b->rings, &sample))
        return;
    thread = threads_get(&b->threads, sample.tid, sample.time);
    if (!thread)
        return;
    if (node_segment_wanted)
        space_more_nodes();
    clock.time = process_tick(&b->process, sample.time);
    clock.cpu = sample.cpu;
    clock.node = process_walk(&b->process, &sample);
    /*
     * If the target's addresses are in use here, its frames cannot be unwound: end this
     * helper, since timers then record better stacks.
     */
    if (b->process.apart)
        _exit(EADDRINUSE);
    threads_hit(&b->threads, thread, &clock);
}

static void
read_record(struct beside *b, u64 mono)
{
    struct who who;

    memcpy(&who, b->record, sizeof(who));
    switch (who.header.type) {
    case PERF_RECORD_SAMPLE:
        if (b->begun)
            record_sample(b);
        break;
    case PERF_RECORD_MMAP2:
        process_add_mapping(&b->process, b->record, mono);
        break;
    case PERF_RECORD_COMM:
        if (who.pid != (u32)b->s->pid ||
            !(who.header.misc & PERF_RECORD_MISC_COMM_EXEC))
            break;
        b->over = b->begun;
        b->begun = 1;
        break;
    case PERF_RECORD_EXIT:
        memcpy(&who.tid, b->record + sizeof(who.header) + 8, sizeof(who.tid));
        if (who.pid != (u32)b->s->pid)
            break;
        rings_end_thread(b->rings, who.tid);
        threads_end(&b->threads, who.tid, 0, mono);
        break;
    default:
        break;
    }
}

/* Process all records, or only those older than SETTLE_NS: see helper.c. */
static void
drain(struct beside *b, int all)
{
    u64 until = ~0ull, mono;

    b->process.now = moment_now(b->s->host.tsc);
    if (!all)
        until = b->process.now.mono - SETTLE_NS;
    while (!b->over && rings_next(b->rings, until, b->record, &mono))
        read_record(b, mono);
    /*
     * Store the time, in ticks, up to which all samples are in the files, in case this
     * process is killed.
     */
    __atomic_store_n(&b->s->experiment.ctl->counted, b->process.now.tick,
                     __ATOMIC_RELAXED);
}

static void
serve(struct beside *b, int stop)
{
    int wait = rings_patience(b->rings, b->s->params.clock_ns);
    struct pollfd *fds = calloc(b->rings->count + 1, sizeof(*fds));

    if (!fds)
        _exit(ENOMEM);
    fds[0] = (struct pollfd){ .fd = stop, .events = POLLIN };
    for (u32 i = 0; i < b->rings->count; i++)
        fds[1 + i] = (struct pollfd){ .fd = b->rings->ring[i].fd, .events = POLLIN };
    while (!fds[0].revents && !b->over) {
        (void)poll(fds, b->rings->count + 1, wait);
        drain(b, 0);
        /*
         * Stop polling a ring whose threads have all ended: poll() would always return
         * at once.
         */
        for (u32 i = 1; i <= b->rings->count; i++)
            if (fds[i].revents & (POLLHUP | POLLERR))
                fds[i].fd = -1;
    }
    rings_stop(b->rings);
    drain(b, 1);
    free(fds);
}

/* Find the real paths of the collector's libraries: LD_PRELOAD may name links. */
static void
find_ours(struct beside *b)
{
    char list[sizeof(libraries)], path[PATH_MAX], *rest = list;
    size_t used = 0, len;

    strcpy(list, libraries);
    for (char *p; (p = strsep(&rest, ":"));) {
        if (!*p || !realpath(p, path))
            continue;
        len = strlen(path);
        if (used + len + 2 > sizeof(b->ours))
            break;
        memcpy(b->ours + used, path, len);
        b->ours[used + len] = ':';
        used += len + 1;
    }
    b->process.mirror.ours = b->ours;
}

static void
run(struct recording *s, struct rings *rings, int ready, int stop)
{
    struct beside *b = calloc(1, sizeof(*b));
    pid_t launcher = getppid();
    int ret;

    if (!b)
        _exit(ENOMEM);
    b->s = s;
    b->rings = rings;
    b->begun = rings->threads != 0;
    b->threads.beside = 1;
    prctl(PR_SET_NAME, "collect-kernel", 0, 0, 0);
    /* Only the launcher enlarges the files, so let this process end with it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ret = getppid() == launcher ? rings_map(rings, geteuid() != 0) : -ESRCH;
    if (ret == 0)
        ret = process_open(&b->process, s, rings->stack);
    if (ret < 0)
        _exit(-ret);
    b->process.mirror.objects = FIRST_ID;
    find_ours(b);
    if (b->begun)
        process_add_present(&b->process);
    (void)!write(ready, "", 1);
    close(ready);
    serve(b, stop);
    threads_end_all(&b->threads, 0, b->process.now.mono);
    process_close(&b->process, rings->lost);
    _exit(0);
}

void
kernel_start(struct recording *s, const struct recording *founder, int from_now)
{
    struct rings rings = { .ring = NULL };
    struct log_attr attr = { "tick", NULL, s->start.tick };
    u64 mono = s->start.mono;
    int ret;

    if (s->no_library || !s->params.clock_ns || !s->request->kernel)
        return;
    s->outside.bell = founder == s ? NULL : founder->experiment.ctl;
    memcpy(libraries, founder->library, sizeof(libraries));
    ret = from_now
              ? rings_open_now(&rings, s->pid, s->params.clock_ns, RING_KERNEL)
              : rings_open(&rings, s->pid, s->params.clock_ns, RING_KERNEL);
    if (ret == 0)
        ret = worker_start(&s->kernel, s, &rings, run);
    rings_close(&rings);
    /* Warn once: for descendants the reason is the same. */
    if (ret < 0 && founder == s)
        err_warn("the kernel cannot be sampled (%s): CPU-time timers find system time, "
                 "without the kernel's stacks", strerror(-ret));
    if (ret < 0)
        return;
    if (from_now) {
        struct moment now = moment_now(s->host.tsc);

        attr.number = now.tick;
        mono = now.mono;
    }
    (void)log_event(s->experiment.log, EVENT_kernel, mono, NULL, NULL, &attr, 1);
}

static void
end(struct recording *s, const char *parted)
{
    struct log_attr attr = { "tick", NULL, 0 };
    char broken[WORKER_WHY];
    const char *why = parted;

    if (!s->kernel.pid)
        return;
    if (worker_stop(&s->kernel, broken))
        why = broken;
    if (!why)
        return;
    attr.number = __atomic_load_n(&s->experiment.ctl->counted, __ATOMIC_RELAXED);
    (void)log_event(s->experiment.log, EVENT_kernel_ended, moment_mono(), why, NULL,
                    &attr, 1);
}

void
kernel_stop(struct recording *s)
{
    end(s, NULL);
}

void
kernel_leave(struct recording *s)
{
    end(s, "collect has ended");
}
