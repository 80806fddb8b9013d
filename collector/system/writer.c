/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/system/writer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collector/outside/process.h"
#include "collector/outside/threads.h"
#include "collector/sig/space.h"
#include "share/logxml.h"

enum {
    FEED_BYTES = 4 * RING_RECORD,
};

struct writer {
    struct recording *s;
    const struct census_process *of; /* the part's process; NULL = the machine */
    struct process process;
    struct thread_table threads;
    u64 idle;    /* the machine's: ns in which processors had nothing to do */
    size_t have; /* bytes in feed */
    unsigned char feed[FEED_BYTES];
    unsigned char record[RING_RECORD];
    u64 weight; /* ns, of the present record */
};

/* PERF_RECORD_COMM up to the name; PERF_RECORD_EXIT has a ppid between pid and tid. */
struct who {
    struct perf_event_header header;
    u32 pid, tid;
};

/*
 * Get the sample's thread. If it has no name, since it began before the recording, read
 * it from /proc.
 */
static struct seen_thread *
get_thread(struct writer *w, const struct ring_sample *sample)
{
    struct seen_thread *thread = threads_get(&w->threads, sample->tid, sample->time);
    char name[CENSUS_NAME + 1] = "swapper";

    if (!thread || !thread->row || *thread->row->name.c)
        return thread;
    if (sample->tid && !account_read_text((pid_t)sample->tid, "comm", name,
                                          sizeof(name)))
        snprintf(name, sizeof(name), "%s", w->of ? w->of->name : "?");
    name[strcspn(name, "\n")] = '\0';
    threads_name(thread, name, strlen(name));
    return thread;
}

/*
 * Is this hit in an idle task idle time? It is not while the task does the deferred
 * work of interrupts. If the kernel hides its addresses, the hit counts as idle.
 */
static int
is_idle(struct writer *w, const struct ring_sample *sample)
{
    for (u64 i = 0; i < sample->kernel_count; i++) {
        const char *name;
        u64 pc;

        memcpy(&pc, sample->kernel + 8 * i, sizeof(pc));
        name = kernel_frames_name(&w->process.kernel, i ? pc - 1 : pc);
        if (name && (strstr(name, "softirq") || !strncmp(name, "irq_exit", 8)))
            return 0;
    }
    return 1;
}

/* Returns 1 if the hit is to be recorded; 0 = it is idle time, which is added up. */
static int
sort_hit(struct writer *w, struct ring_sample *sample)
{
    if (w->of)
        return 1;
    if (!sample->pid && is_idle(w, sample)) {
        w->idle += w->weight;
        return 0;
    }
    /*
     * The sample is of a program without a part, whose mappings are not known here: do
     * not unwind.
     */
    sample->abi = PERF_SAMPLE_REGS_ABI_NONE;
    return 1;
}

static void
record_sample(struct writer *w)
{
    struct rec_clock clock = { .weight = w->weight };
    struct seen_thread *thread;
    struct ring_sample sample;

    if (!ring_sample(w->record, &sample) || !sort_hit(w, &sample))
        return;
    thread = get_thread(w, &sample);
    if (!thread)
        return;
    if (node_segment_wanted)
        space_more_nodes();
    clock.time = process_tick(&w->process, sample.time);
    clock.cpu = sample.cpu;
    clock.mstate = sample.in_kernel ? MSTATE_SYSTEM : MSTATE_USER;
    clock.node = process_walk(&w->process, &sample);
    threads_hit(&w->threads, thread, &clock);
}

static void
read_name(struct writer *w, const struct who *who, u64 mono)
{
    const char *name = process_text(w->record, sizeof(*who), who->header.size);
    struct seen_thread *thread = name ? threads_get(&w->threads, who->tid, mono) : NULL;

    if (thread)
        threads_name(thread, name, strlen(name));
}

static void
read_record(struct writer *w, u64 mono)
{
    struct who who;

    memcpy(&who, w->record, sizeof(who));
    switch (who.header.type) {
    case PERF_RECORD_SAMPLE:
        record_sample(w);
        break;
    case PERF_RECORD_MMAP2:
        process_add_mapping(&w->process, w->record, mono);
        break;
    case PERF_RECORD_COMM:
        read_name(w, &who, mono);
        break;
    case PERF_RECORD_EXIT:
        memcpy(&who.tid, w->record + sizeof(who.header) + 8, sizeof(who.tid));
        threads_end(&w->threads, who.tid, process_tick(&w->process, mono), mono);
        break;
    default:
        break;
    }
}

/* Process the complete records in the buffer. 1 if PART_END was among them. */
static int
read_all(struct writer *w)
{
    struct part_record head;
    struct perf_event_header header;
    size_t at = 0;
    int over = 0;

    w->process.now = moment_now(w->s->host.tsc);
    while (!over && w->have - at >= sizeof(head)) {
        memcpy(&head, w->feed + at, sizeof(head));
        over = head.mono == PART_END;
        if (over || w->have - at < sizeof(head) + sizeof(header))
            break;
        memcpy(&header, w->feed + at + sizeof(head), sizeof(header));
        if (w->have - at < sizeof(head) + header.size)
            break;
        memcpy(w->record, w->feed + at + sizeof(head), header.size);
        w->weight = head.weight;
        read_record(w, head.mono);
        at += sizeof(head) + header.size;
    }
    memmove(w->feed, w->feed + at, w->have - at);
    w->have -= at;
    return over;
}

static void
log_idle(const struct writer *w)
{
    char idle[32];

    w->s->experiment.ctl->counted = w->idle;
    snprintf(idle, sizeof(idle), "%.3f", (double)w->idle / 1e9);
    (void)log_event(w->s->experiment.log, EVENT_machine_idle, w->process.now.mono, idle,
                    NULL, NULL, 0);
}

static void
serve(struct writer *w, int feed)
{
    ssize_t n = 1;

    while (n > 0) {
        do
            n = read(feed, w->feed + w->have, sizeof(w->feed) - w->have);
        while (n < 0 && errno == EINTR);
        w->have += n > 0 ? (size_t)n : 0;
        if (read_all(w))
            break;
    }
}

void
writer_run(struct recording *s, const struct census_process *p, u32 stack, int feed)
{
    struct writer *w = calloc(1, sizeof(*w));
    pid_t launcher = getppid();
    sigset_t all;
    int ret;

    /* Block all signals but SIGBUS: those from the terminal are for er_kernel alone. */
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_NAME, "er_kernel-write", 0, 0, 0);
    (void)setpriority(PRIO_PROCESS, 0, 0);
    /* Only er_kernel enlarges the files, so let this process end with it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != launcher)
        _exit(ESRCH);
    ret = w ? process_open(&w->process, s, stack) : -ENOMEM;
    if (ret < 0)
        _exit(-ret);
    w->s = s;
    w->of = p;
    w->process.now = moment_now(s->host.tsc);
    for (u32 i = 0; p && i < p->maps; i++)
        mirror_add(&w->process.mirror, &p->map[i]);
    serve(w, feed);
    threads_end_all(&w->threads, process_tick(&w->process, w->process.now.mono),
                    w->process.now.mono);
    if (!p && !s->request->cgroup)
        log_idle(w);
    _exit(0);
}
