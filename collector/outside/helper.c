/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/helper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "collector/outside/cputime.h"
#include "collector/outside/children.h"
#include "collector/outside/process.h"
#include "collector/outside/threads.h"
#include "collector/session/session.h"
#include "collector/sig/node.h"
#include "collector/sig/space.h"
#include "share/logxml.h"

enum {
    SETTLE_NS = 1000000, /* a record is in its ring at most so long after its time */
};

struct helper {
    struct recording *s;
    struct rings *rings;
    struct process process;
    struct thread_table threads;
    struct children children;
    struct cputime cputime;
    int watch; /* descriptor of an event that reports the target's exec, -1 = none */
    u64 ended; /* CLOCK_MONOTONIC ns: its first thread has ended, 0 = it lives */
    unsigned char record[RING_RECORD];
};

/* PERF_RECORD_COMM up to the name. */
struct naming {
    struct perf_event_header header;
    u32 pid, tid;
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT. */
struct birth {
    struct perf_event_header header;
    u32 pid, ppid, tid, ptid;
    u64 time;
};

static void
record_sample(struct helper *h)
{
    struct rec_clock clock = { .weight = h->s->params.clock_ns };
    struct seen_thread *thread;
    struct ring_sample sample;

    if (!ring_sample(h->record, &sample) || sample.pid != (u32)h->s->pid ||
        sample.abi == PERF_SAMPLE_REGS_ABI_NONE || process_is_replaced(&sample) ||
        rings_is_double(h->rings, &sample))
        return;
    thread = threads_get(&h->threads, sample.tid, sample.time);
    if (!thread)
        return;
    if (node_segment_wanted)
        space_more_nodes();
    clock.time = process_tick(&h->process, sample.time);
    clock.cpu = sample.cpu;
    clock.mstate = sample.in_kernel ? MSTATE_SYSTEM : MSTATE_USER;
    clock.node = process_walk(&h->process, &sample);
    threads_hit(&h->threads, thread, &clock);
}

static void
read_name(struct helper *h, size_t size, u64 mono)
{
    struct seen_thread *thread;
    struct naming naming;
    const char *name = process_text(h->record, sizeof(naming), size);

    memcpy(&naming, h->record, sizeof(naming));
    if (!name || naming.pid != (u32)h->s->pid)
        return;
    if (naming.header.misc & PERF_RECORD_MISC_COMM_EXEC)
        cputime_begin(&h->cputime);
    /*
     * Forget the former program's mappings. At the first exec that is the launcher's
     * image, of which nothing was mapped.
     */
    if (naming.header.misc & PERF_RECORD_MISC_COMM_EXEC && h->process.mirror.objects)
        mirror_clear(&h->process.mirror, mono);
    if (naming.header.misc & PERF_RECORD_MISC_COMM_EXEC)
        h->process.entry = 0;
    thread = threads_get(&h->threads, naming.tid, mono);
    if (thread)
        threads_name(thread, name, strlen(name));
}

static void
read_birth(struct helper *h, size_t size, u64 mono)
{
    struct birth birth;

    memcpy(&birth, h->record, sizeof(birth));
    if (size < sizeof(birth) || birth.pid != (u32)h->s->pid)
        return;
    if (birth.header.type != PERF_RECORD_FORK)
        rings_end_thread(h->rings, birth.tid);
    if (birth.header.type == PERF_RECORD_FORK)
        (void)threads_get(&h->threads, birth.tid, mono);
    else if (birth.tid == (u32)h->s->pid)
        h->ended = mono;
    else
        threads_end(&h->threads, birth.tid, process_tick(&h->process, mono), mono);
}

static void
read_record(struct helper *h, u64 mono)
{
    struct perf_event_header header;

    memcpy(&header, h->record, sizeof(header));
    switch (header.type) {
    case PERF_RECORD_SAMPLE:
        record_sample(h);
        break;
    case PERF_RECORD_MMAP2:
        process_add_mapping(&h->process, h->record, mono);
        break;
    case PERF_RECORD_COMM:
        read_name(h, header.size, mono);
        break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        read_birth(h, header.size, mono);
        break;
    default:
        break;
    }
}

/*
 * Process all records, or only those older than SETTLE_NS: rings are merged by time,
 * and an older record may still be on its way into another ring.
 */
static void
drain(struct helper *h, int all)
{
    u64 mono;

    h->process.now = moment_now(h->s->host.tsc);
    while (rings_next(h->rings, all ? ~0ull : h->process.now.mono - SETTLE_NS,
                      h->record, &mono))
        read_record(h, mono);
}

/* Read the rings periodically, and when one has WAKE_BYTES to read, until `stop`. */
static void
serve(struct helper *h, int stop)
{
    struct pollfd *fds = calloc(h->rings->count + 2 + h->children.count, sizeof(*fds));
    int wait = rings_patience(h->rings, h->s->params.clock_ns);
    u32 last = h->rings->count + 1;

    if (!fds)
        _exit(ENOMEM);
    fds[0] = (struct pollfd){ .fd = stop, .events = POLLIN };
    for (u32 i = 0; i < h->rings->count; i++)
        fds[1 + i] = (struct pollfd){ .fd = h->rings->ring[i].fd, .events = POLLIN };
    fds[last] = (struct pollfd){ .fd = h->watch, .events = POLLIN };
    for (u32 i = 0; i < h->children.count; i++)
        fds[last + 1 + i] =
            (struct pollfd){ .fd = h->children.ring[i].fd, .events = POLLIN };
    while (!fds[0].revents) {
        (void)poll(fds, last + 1 + h->children.count, wait);
        if (fds[last].revents) {
            fds[last].fd = -1;
            cputime_begin(&h->cputime);
        }
        /*
         * Do not look before the process's exec: requests for its children name its
         * experiment, which must exist.
         */
        if (h->cputime.begun)
            children_poll(&h->children);
        drain(h, 0);
        cputime_read(&h->cputime);
        /*
         * Stop polling a ring whose threads have all ended: poll() would always return
         * at once.
         */
        for (u32 i = 1; i <= last + h->children.count; i++)
            if (fds[i].revents & (POLLHUP | POLLERR))
                fds[i].fd = -1;
    }
    rings_stop(h->rings);
    h->s->experiment.ctl->counted = rings_total(h->rings);
    drain(h, 1);
    free(fds);
}

static int
prepare(struct helper *h)
{
    /* For root, locked memory is not limited. */
    int ret = rings_map(h->rings, h->s->outside.begin && geteuid() != 0);

    return ret < 0 ? ret : process_open(&h->process, h->s, h->rings->stack);
}

/* Begin at once; but for a descendant that has yet to call exec, watch for that. */
static void
begin_or_watch(struct helper *h)
{
    const struct outside *o = &h->s->outside;

    h->watch = -1;
    children_open(&h->children, h->s);
    if (o->begin && !o->from_now)
        h->watch = rings_watch(h->s->pid);
    else
        cputime_begin(&h->cputime);
    if (o->from_now)
        process_add_present(&h->process);
    if (o->from_now && o->begin)
        cputime_startup(&h->cputime, rings_total(h->rings));
}

/*
 * Do not sample the target itself, but only watch which programs it starts, and ask
 * collect to sample those.
 */
static _Noreturn void
watch_children(struct helper *h, int ready, int stop)
{
    const struct recording *s = h->s;

    space_ctl = s->experiment.ctl;
    space_wake_page = s->outside.bell ? s->outside.bell : space_ctl;
    children_open(&h->children, s);
    (void)!write(ready, "", 1);
    close(ready);
    children_serve(&h->children, stop);
    _exit(0);
}

void
helper_run(struct recording *s, struct rings *rings, int ready, int stop)
{
    struct helper *h = calloc(1, sizeof(*h));
    pid_t launcher = getppid();
    int ret;

    if (!h)
        _exit(ENOMEM);
    h->s = s;
    h->rings = rings;
    h->cputime = (struct cputime){ s, &h->process, &h->threads, 0, 0, 0 };
    prctl(PR_SET_NAME, "collect-outside", 0, 0, 0);
    /* Only the launcher enlarges the files, so let this process end with it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ret = getppid() == launcher ? 0 : -ESRCH;
    if (ret == 0 && s->outside.only_children)
        watch_children(h, ready, stop);
    if (ret == 0)
        ret = prepare(h);
    if (ret < 0)
        _exit(-ret);
    h->process.now = moment_now(s->host.tsc);
    begin_or_watch(h);
    (void)!write(ready, "", 1);
    close(ready);
    serve(h, stop);
    cputime_close(&h->cputime);
    if (h->ended)
        threads_end(&h->threads, (u32)s->pid, process_tick(&h->process, h->ended),
                    h->ended);
    threads_end_all(&h->threads, process_tick(&h->process, h->process.now.mono),
                    h->process.now.mono);
    process_close(&h->process, h->rings->lost);
    _exit(0);
}
