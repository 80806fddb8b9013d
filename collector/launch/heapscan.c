/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/heapscan.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/launch/room.h"
#include "collector/leaks/live.h"
#include "collector/leaks/roots.h"
#include "share/logxml.h"

#define LONGEST_NS 30000000000u /* ns for which a process is held, at most */

enum {
    SKIPS = 16,
    OWN_RANGES = 1 << 20, /* no process has so many threads */
};

/* The search in one process. */
struct heapscan {
    struct recording *s;
    pthread_t thread;
    struct live live;
    struct graph graph;
    struct stop stop;
    struct memory memory;
    struct roots roots;
    struct moment begun;
    int complete;
    u64 held; /* ns for which the process was held */
};

/* Prefixes of the paths whose mappings are not searched, in any process. */
static char skip_text[SKIPS][PATH_MAX];
static const char *skip[SKIPS + 1];

static void
add_skip(u32 *n, const char *path)
{
    char *to = skip_text[*n];

    if (*n == SKIPS || !realpath(path, to))
        return;
    skip[(*n)++] = to;
    skip[*n] = NULL;
}

void
heapscan_start(const struct recording *founder)
{
    char list[sizeof(founder->library)], directory[64], *rest = list, *path;
    u32 n = 0;

    snprintf(directory, sizeof(directory), "/proc/self/fd/%d", founder->experiment.dir);
    add_skip(&n, directory);
    memcpy(list, founder->library, sizeof(list));
    while ((path = strsep(&rest, ": ")))
        if (*path)
            add_skip(&n, path);
}

static u32
word(const u32 *at)
{
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

/* Let the process continue. */
static void
release(struct ctl *ctl)
{
    __atomic_store_n(&ctl->scan, SCAN_DONE, __ATOMIC_RELEASE);
    syscall(SYS_futex, &ctl->scan, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void
log_unknown(struct recording *s, const char *why)
{
    s->scanned = 1;
    (void)log_event(s->experiment.log, EVENT_heap_unknown, moment_mono(), why, NULL,
                    NULL, 0);
}

/* Bytes that we may use: half of what is available on this machine. */
static u64
bytes_to_spare(void)
{
    char text[256] = "";
    unsigned long long kb = 0;
    FILE *f = fopen("/proc/meminfo", "re");

    while (f && fgets(text, sizeof(text), f))
        if (sscanf(text, "MemAvailable: %llu", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return kb ? kb * 1024 / 2 : UINT64_MAX;
}

static int
by_address(const void *a, const void *b)
{
    const struct ctl_range *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Read where the collector has memory of its own in the process. */
static int
read_own(struct heapscan *h, const struct ctl *ctl)
{
    u32 n = word(&ctl->scan_ranges);
    struct ctl_range *own;
    int ret;

    if (!n || n > OWN_RANGES)
        return 0;
    own = calloc(n, sizeof(*own));
    if (!own)
        return -ENOMEM;
    ret = memory_peek(&h->memory, ctl->scan_own, own, n * sizeof(*own));
    if (ret < 0) {
        free(own);
        return ret;
    }
    qsort(own, n, sizeof(*own), by_address);
    h->roots.own = own;
    h->roots.owns = n;
    return 0;
}

static int
is_single(pid_t pid)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    return stat(path, &st) == 0 && st.st_nlink == 3;
}

/* Was every block of the process recorded? */
static int
is_complete(const struct recording *s)
{
    const struct request *r = s->request;
    u32 n = s->experiment.ctl->threads;
    struct rec_thread row;

    if (r->paused || r->window || s->inherits || s->was_paused)
        return 0;
    for (u32 i = 1; i <= n; i++)
        if (pread(s->experiment.file[FILE_threads], &row, sizeof(row),
                  (off_t)(i * sizeof(row))) != (ssize_t)sizeof(row) ||
            row.heap_dropped)
            return 0;
    return 1;
}

/* While the process waits: find the blocks that it has, and the pointers to them. */
static int
search(struct heapscan *h)
{
    struct recording *s = h->s;
    const struct ctl *ctl = s->experiment.ctl;
    int ret = live_read(&h->live, s->experiment.file[FILE_heaptrace],
                        room_file_used(ctl, FILE_heaptrace));

    if (ret == 0 && (h->live.rows + h->live.count) * 40 + h->live.bytes / 2 >
                        bytes_to_spare())
        ret = -ENOMEM;
    if (ret == 0)
        ret = live_graph(&h->live, &h->graph);
    if (ret == 0)
        ret = memory_open(&h->memory, s->pid, skip);
    if (ret < 0)
        return ret;
    h->memory.until = h->begun.mono + LONGEST_NS;
    h->roots = (struct roots){ .memory = &h->memory,
                               .stop = &h->stop,
                               .graph = &h->graph,
                               .complete = h->complete,
                               .stack = ctl->scan_stack,
                               .exit = ctl->scan_exit };
    ret = read_own(h, ctl);
    if (ret == 0)
        ret = roots_find(&h->roots);
    free(h->roots.own);
    memory_close(&h->memory);
    return ret;
}

static int
hold_and_search(struct heapscan *h)
{
    int ret = is_single(h->s->pid) ? 0 : stop_begin(&h->stop, h->s->pid);

    h->begun = moment_now(h->s->host.tsc);
    h->complete = is_complete(h->s);
    if (ret == 0)
        ret = search(h);
    stop_end(&h->stop);
    return ret;
}

/* A chunk that is made in memory, and then written as a whole. */
struct writer {
    struct expdir *e;
    const struct moment *now;
    struct codec codec;
    unsigned char data[131072];
    unsigned char *at;
    u32 seq;
};

static void
begin_chunk(struct writer *w)
{
    w->at = w->data + sizeof(struct er_chunk);
    codec_start(&w->codec, w->now->tick >> SHIFT_heapend, 0);
}

static int
end_chunk(struct writer *w)
{
    struct er_chunk *chunk = (void *)w->data;
    struct ctl_file *file = &w->e->ctl->file[FILE_heapend];
    u32 used = (u32)(w->at - w->data);
    u32 size = (used + ER_BLOCK - 1) / ER_BLOCK * ER_BLOCK;
    u64 at = file->next;
    int ret;

    if (ER_SEGMENT - at % ER_SEGMENT < size)
        at = ctl_next_segment(at);
    memset(w->at, 0, size - used);
    *chunk = (struct er_chunk){ .magic = ER_CHUNK_MAGIC,
                                .version = ER_CHUNK_VERSION,
                                .file = FILE_heapend,
                                .flags = CHUNK_SEALED,
                                .size = size,
                                .committed = used,
                                .chunk_seq = w->seq++,
                                .tsc0 = w->now->tick,
                                .mono0 = w->now->mono };
    chunk->header_crc = chunk_header_crc(chunk);
    chunk->data_crc = crc32c(0, w->data + sizeof(*chunk), used - sizeof(*chunk));
    ret = experiment_grow(w->e, FILE_heapend, at + size);
    if (ret == 0 &&
        pwrite(w->e->file[FILE_heapend], w->data, size, (off_t)at) != (ssize_t)size)
        ret = -EIO;
    if (ret == 0)
        file->next = at + size;
    return ret;
}

/*
 * The end of a run of neighbouring blocks of one class (and, if indirectly lost, of one
 * head): the index of the first block that does not belong to the run.
 */
static u32
end_of_run(const struct graph *g, u32 first)
{
    const struct graph_block *b = &g->block[first];
    u32 next = first + 1;

    while (next < g->count && g->block[next].class == b->class &&
           (b->class != LEFT_INDIRECT || g->block[next].head == b->head))
        next++;
    return next;
}

static int
put_runs(struct writer *w, const struct graph *g)
{
    u32 next;
    int ret = 0;

    for (u32 i = 0; i < g->count && ret == 0; i = next) {
        const struct graph_block *b = &g->block[i];
        struct rec_left left = { .time = w->now->tick >> SHIFT_heapend,
                                 .addr = b->addr,
                                 .class = b->class };

        next = end_of_run(g, i);
        left.span = g->block[next - 1].addr - b->addr + 1;
        if (b->class == LEFT_INDIRECT)
            left.head = g->block[b->head].addr;
        w->at = rec_put_left(&w->codec, w->at, &left);
        if (w->at + 2 * ER_RECORD_MAX > w->data + sizeof(w->data)) {
            ret = end_chunk(w);
            begin_chunk(w);
        }
    }
    return ret;
}

static int
put_result(struct heapscan *h)
{
    struct writer *w = malloc(sizeof(*w));
    struct rec_scan scan = { .time = h->begun.tick >> SHIFT_heapend,
                             .blocks = h->live.count,
                             .bytes = h->live.bytes,
                             .complete = (u32)h->complete,
                             .held = h->held };
    int ret;

    if (!w)
        return -ENOMEM;
    w->e = &h->s->experiment;
    w->now = &h->begun;
    w->seq = 0;
    begin_chunk(w);
    w->at = rec_put_scan(&w->codec, w->at, &scan);
    ret = put_runs(w, &h->graph);
    if (ret == 0)
        ret = end_chunk(w);
    free(w);
    return ret;
}

static const char *
reason(int error)
{
    switch (error) {
    case -EPERM:
    case -EACCES:
        return "collect may not read the memory of the process";
    case -ENOMEM:
        return "there was not memory enough to find out";
    case -ETIME:
        return "to find out would have taken too long";
    case -ESRCH:
        return heapscan_killed;
    default:
        return strerror(-error);
    }
}

static void
log_result(struct heapscan *h, int error)
{
    char ms[32];

    if (error < 0)
        return log_unknown(h->s, reason(error));
    h->s->scanned = 1;
    snprintf(ms, sizeof(ms), "%.1f", (double)h->held / 1e6);
    (void)log_event(h->s->experiment.log, EVENT_heap_scan, moment_mono(), ms, NULL,
                    NULL, 0);
}

static void *
work(void *arg)
{
    struct heapscan *h = arg;
    u64 begun = moment_mono();
    int ret = hold_and_search(h);

    h->held = moment_mono() - begun;
    release(h->s->experiment.ctl);
    if (ret == 0)
        ret = graph_classify(&h->graph);
    if (ret == 0)
        ret = put_result(h);
    log_result(h, ret);
    graph_free(&h->graph);
    live_free(&h->live);
    return NULL;
}

/*
 * Start the thread that searches. It blocks all signals, which the launcher's first
 * thread handles, except SIGBUS, for faults of its own.
 */
static int
start_thread(struct heapscan *h)
{
    sigset_t all, before;
    int ret;

    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ret = -pthread_create(&h->thread, NULL, work, h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ret;
}

void
heapscan_serve(struct recording *s)
{
    u32 asked = SCAN_ASKED;
    int ret;

    if (s->heapscan ||
        !__atomic_compare_exchange_n(&s->experiment.ctl->scan, &asked, SCAN_TAKEN, 0,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    s->heapscan = calloc(1, sizeof(*s->heapscan));
    ret = s->heapscan ? 0 : -ENOMEM;
    if (ret == 0) {
        s->heapscan->s = s;
        s->heapscan->memory.pages = -1;
        ret = start_thread(s->heapscan);
    }
    if (ret == 0)
        return;
    free(s->heapscan);
    s->heapscan = NULL;
    release(s->experiment.ctl);
    log_unknown(s, reason(ret));
}

void
heapscan_wait(struct recording *s)
{
    if (!s->heapscan)
        return;
    pthread_join(s->heapscan->thread, NULL);
    free(s->heapscan);
    s->heapscan = NULL;
}

void
heapscan_end(struct recording *s, const char *why)
{
    u32 flags = word(&s->experiment.ctl->flags);

    heapscan_wait(s);
    if (s->params.heap_scan && !s->scanned && flags & CTL_ATTACHED)
        log_unknown(s, why);
}
