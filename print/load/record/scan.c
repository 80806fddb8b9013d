/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/scan.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/base/array.h"
#include "print/base/progress.h"
#include "print/load/record/decode.h"

/* A chunk to decode. */
struct task {
    const struct er_chunk *chunk;
    u64 where; /* offset in the file */
    u32 committed;
};

struct tasks {
    struct task *task;
    u32 count;
    u32 room;
};

/* Indices [next, end) of the tasks that one worker still has to do. */
struct share {
    u32 next;
    u32 end;
};

/* The data that all workers of a scan use. */
struct scan {
    const struct record_source *source;
    const struct tasks *tasks;
    struct share *share; /* by worker */
    u32 workers;
    pthread_mutex_t lock; /* protects all shares */
};

struct worker {
    struct scan *scan;
    struct decoder *decoder;
    struct record_count count;
    u32 number;
    pthread_t thread;
    int started;
};

enum {
    FEW = 4, /* tasks up to which one worker does them all */
    WORTH_THREADS = 1 << 20, /* bytes of a file that are worth a second worker */
};

void
scan_report_bad_chunk(const struct record_source *source, u64 where)
{
    problems_add(source->problems,
                 "%s: the chunk at offset %llu is damaged and is left out",
                 source->path, (unsigned long long)where);
}

u32
scan_believe(const struct record_source *source, const struct er_chunk *chunk,
                u32 committed, u64 where)
{
    u32 believed = chunk_believed(chunk, committed, where);

    if (!believed)
        problems_add(source->problems,
                     "%s: the records of the chunk at offset %llu are damaged (their "
                     "checksum is wrong) and are left out",
                     source->path, (unsigned long long)where);
    else if (believed < committed)
        problems_add(source->problems,
                     "%s: zeros stand where records were from offset %llu on",
                     source->path, (unsigned long long)(where + believed));
    else if (believed < chunk->committed && !source->is_short)
        problems_add(source->problems,
                     "%s is cut short at offset %llu: records are missing",
                     source->path, (unsigned long long)source->size);
    return believed;
}

void
scan_report_bad_record(const struct record_source *source, u64 where)
{
    problems_add(source->problems,
                 "%s: the record at offset %llu is damaged; the rest of its chunk is "
                 "left out",
                 source->path, (unsigned long long)where);
}

static int
list_chunks(const struct record_source *source, struct tasks *tasks,
            struct record_count *count)
{
    struct chunk_cursor cursor = { .data = source->data, .size = source->size,
                                   .file = source->schema->number };
    struct task task = { 0 };
    int got;

    while ((got = chunk_next(&cursor, &task.chunk, &task.committed, &task.where))) {
        if (got < 0) {
            count->bad_chunks++;
            scan_report_bad_chunk(source, task.where);
            continue;
        }
        if (array_room(&tasks->task, &tasks->room, tasks->count + 1, sizeof(task)) < 0)
            return -ENOMEM;
        tasks->task[tasks->count++] = task;
    }
    return 0;
}

static void
run_task(struct worker *w, const struct task *task)
{
    const struct record_source *source = w->scan->source;
    u32 believed = scan_believe(source, task->chunk, task->committed, task->where);
    u32 at = 0;
    int ret = 0;

    progress_add(task->committed);
    w->count.chunks++;
    w->count.dropped += task->chunk->dropped;
    if (!(task->chunk->flags & CHUNK_SEALED))
        w->count.unsealed++;
    if (believed)
        ret = decoder_run(w->decoder, task->chunk, believed, &at, &w->count.records);
    if (ret < 0 && believed == task->chunk->committed)
        scan_report_bad_record(source, task->where + at);
    if (ret < 0 || believed < task->chunk->committed)
        w->count.bad_chunks++;
}

/*
 * Give a worker without tasks half of the tasks of the worker that has most left.
 */
static void
share_more(struct scan *scan, struct share *own)
{
    struct share *most = own;
    u32 half;

    for (u32 i = 0; i < scan->workers; i++)
        if (scan->share[i].end - scan->share[i].next > most->end - most->next)
            most = &scan->share[i];
    half = (most->end - most->next + 1) / 2;
    *own = (struct share){ most->end - half, most->end };
    most->end -= half;
}

/*
 * Take the worker's next task, or one of another worker; NULL: no worker has any left.
 */
static const struct task *
next_task(struct worker *w)
{
    struct scan *scan = w->scan;
    struct share *own = &scan->share[w->number];
    const struct task *task = NULL;

    pthread_mutex_lock(&scan->lock);
    if (own->next == own->end)
        share_more(scan, own);
    if (own->next < own->end)
        task = &scan->tasks->task[own->next++];
    pthread_mutex_unlock(&scan->lock);
    return task;
}

static void *
work(void *context)
{
    struct worker *w = context;
    const struct task *task;

    while ((task = next_task(w)))
        run_task(w, task);
    return NULL;
}

static int
compare_tasks(const void *a, const void *b)
{
    const struct task *left = a, *right = b;

    if (left->chunk->thread_id != right->chunk->thread_id)
        return left->chunk->thread_id < right->chunk->thread_id ? -1 : 1;
    return left->where < right->where ? -1 : left->where > right->where;
}

/*
 * Share out the tasks, sorted by recorded thread, so that the sums which a sink keeps
 * for each thread mostly stay in one worker's cache. A single worker reads the file in
 * order, as some sinks require.
 */
static int
share_tasks(struct scan *scan, struct tasks *tasks, u32 workers)
{
    scan->share = calloc(workers, sizeof(*scan->share));
    if (!scan->share)
        return -ENOMEM;
    scan->tasks = tasks;
    scan->workers = workers;
    if (workers > 1)
        qsort(tasks->task, tasks->count, sizeof(*tasks->task), compare_tasks);
    for (u32 i = 0; i < workers; i++)
        scan->share[i] = (struct share){
            (u32)((u64)tasks->count * i / workers),
            (u32)((u64)tasks->count * (i + 1) / workers),
        };
    return 0;
}

static void
run_workers(struct worker *worker, u32 workers)
{
    for (u32 i = 1; i < workers; i++)
        worker[i].started = !pthread_create(&worker[i].thread, NULL, work, &worker[i]);
    work(&worker[0]);
    for (u32 i = 1; i < workers; i++)
        if (worker[i].started)
            pthread_join(worker[i].thread, NULL);
}

static int
open_workers(struct worker *worker, u32 workers, struct scan *scan,
             const struct record_sink *sink)
{
    for (u32 i = 0; i < workers; i++) {
        worker[i].scan = scan;
        worker[i].number = i;
        worker[i].decoder = decoder_new(scan->source, sink, i, sink->ordered);
        if (!worker[i].decoder)
            return -ENOMEM;
    }
    return 0;
}

static void
add_counts(struct record_count *to, const struct worker *worker, u32 workers)
{
    for (u32 i = 0; i < workers; i++) {
        to->chunks += worker[i].count.chunks;
        to->bad_chunks += worker[i].count.bad_chunks;
        to->unsealed += worker[i].count.unsealed;
        to->records += worker[i].count.records;
        to->dropped += worker[i].count.dropped;
    }
}

static void
begin_progress(const struct record_source *source, const struct tasks *tasks)
{
    u64 bytes = 0;

    for (u32 i = 0; i < tasks->count; i++)
        bytes += tasks->task[i].committed;
    progress_begin("reading", source->path, bytes);
}

u32
scan_workers(const struct record_source *source, u32 most)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    if (source->size < WORTH_THREADS || cpus < 2)
        return 1;
    return cpus < (long)most ? (u32)cpus : most;
}

int
scan_run(const struct record_source *source, const struct record_sink *sink,
         u32 workers, struct record_count *count)
{
    struct record_count seen = { 0 };
    struct tasks tasks = { 0 };
    struct scan scan = { .source = source, .lock = PTHREAD_MUTEX_INITIALIZER };
    struct worker *worker = calloc(workers, sizeof(*worker));
    int ret = worker ? list_chunks(source, &tasks, &seen) : -ENOMEM;

    if (tasks.count <= FEW)
        workers = 1;
    if (ret == 0)
        ret = share_tasks(&scan, &tasks, workers);
    if (ret == 0)
        ret = open_workers(worker, workers, &scan, sink);
    if (ret == 0) {
        begin_progress(source, &tasks);
        run_workers(worker, workers);
        add_counts(&seen, worker, workers);
        if (count)
            *count = seen;
    }
    for (u32 i = 0; worker && i < workers; i++)
        decoder_free(worker[i].decoder);
    free(worker);
    free(scan.share);
    free(tasks.task);
    return ret;
}
