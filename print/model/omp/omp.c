/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/omp/omp.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/wall.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frametext.h"
#include "print/model/pass/tracepass.h"

enum wish {
    WISH_REGION,
    WISH_TASK,
    WISH_LOOP,
    WISHES,
};

/*
 * Records and their fields: first in the order of enum omp_value, omp_task_value or
 * omp_loop_value, then other fields.
 */
static const struct trace_wish wishes[WISHES] = {
    { "preg",
      { "count", "parts", "threads", "elapsed", "work", "wait_end", "wait_barrier",
        "wait_critical", "wait_ordered", "wait_task", "ovhd", "lost", "save", "serial",
        "asleep", "node" } },
    { "otask", { "created", "executed", "creating", "work", "longest", "node" } },
    { "oloop",
      { "count", "parts", "iterations", "chunks", "work", "wait", "elapsed", "lost",
        "save", "node", "schedule" } },
};

static const u32 values[WISHES] = { OMP_VALUES, OMP_TASK_VALUES, OMP_LOOP_VALUES };

/* Values from this index on are times; those before it are counts. */
static const u32 first_time[WISHES] = { OMP_ELAPSED, OMP_TASK_CREATING, OMP_LOOP_WORK };

/* Records as they come, of all places. */
struct list {
    struct omp_place *row;
    u32 count;
    u32 room;
};

struct scan {
    pthread_mutex_t lock; /* one for all workers, since such records are few */
    struct list list[WISHES];
    double rate;
    bool no_memory;
    bool wall;
};

static void
on_row(void *context, const struct trace_row *row)
{
    struct scan *scan = context;
    struct list *list = &scan->list[row->wish];
    struct omp_place place = { .node = (u32)trace_get(row, values[row->wish]) };

    if (!tracepass_accepts(row))
        return;
    if (row->wish == WISH_LOOP)
        place.schedule = (u32)trace_get(row, OMP_LOOP_VALUES + 1);
    for (u32 i = 0; i < values[row->wish]; i++) {
        place.v[i] = trace_get(row, i);
        if (i >= first_time[row->wish])
            place.v[i] = clock_scaled(place.v[i], scan->rate);
    }
    pthread_mutex_lock(&scan->lock);
    if (array_room(&list->row, &list->room, list->count + 1, sizeof(place)) < 0)
        scan->no_memory = true;
    else
        list->row[list->count++] = place;
    pthread_mutex_unlock(&scan->lock);
}

/* Replace the experiments' node ids by nodes of the session. */
static int
bind_nodes(struct session *session, u32 experiment, struct list *list, u32 from)
{
    for (u32 i = from; i < list->count; i++) {
        struct omp_place *place = &list->row[i];
        struct stack_frame frame = { 0 };

        if (stacks_of(session, experiment, place->node, &place->node) < 0 ||
            frametext_place(session, place->node, &frame) < 0)
            return -ENOMEM;
        place->place[0] = frame.func;
        place->place[1] = frame.file;
        place->place[2] = frame.line ? frame.line
                                     : session->stacks->node[place->node].site;
    }
    return 0;
}

static int
add_experiment(struct session *session, u32 index, struct scan *scan)
{
    struct experiment *e = session->experiment[index];
    struct trace_sink sink = { wishes, WISHES, on_row, scan };
    u32 before[WISHES];
    int ret;

    for (u32 k = 0; k < WISHES; k++)
        before[k] = scan->list[k].count;
    if (tracescan_rate(e, FILE_profile, &scan->rate) < 0)
        return -ENOMEM;
    scan->wall |= wall_is_there(e);
    ret = tracepass_run(session, index, FILE_profile, &sink);
    if (ret == -ENOENT)
        return 0;
    for (u32 k = 0; k < WISHES && ret == 0; k++)
        ret = bind_nodes(session, index, &scan->list[k], before[k]);
    return scan->no_memory ? -ENOMEM : ret;
}

static int
by_place(const void *a, const void *b)
{
    const struct omp_place *x = a, *y = b;

    for (u32 i = 0; i < ER_COUNT(x->place); i++)
        if (x->place[i] != y->place[i])
            return x->place[i] < y->place[i] ? -1 : 1;
    if (x->schedule != y->schedule)
        return x->schedule < y->schedule ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Merge the rows of each place into one, and add all rows to `total`. */
static void
unite(struct list *list, enum wish kind, u64 *total)
{
    u32 count = 0;

    if (list->count)
        qsort(list->row, list->count, sizeof(*list->row), by_place);
    for (u32 i = 0; i < list->count; i++) {
        const struct omp_place *from = &list->row[i];
        struct omp_place *to = count ? &list->row[count - 1] : NULL;

        for (u32 v = 0; v < values[kind]; v++)
            total[v] += from->v[v];
        if (!to || memcmp(to->place, from->place, sizeof(to->place)) != 0 ||
            to->schedule != from->schedule) {
            list->row[count++] = *from;
            continue;
        }
        for (u32 v = 0; v < values[kind]; v++)
            if (kind != WISH_TASK || v != OMP_TASK_LONGEST)
                to->v[v] += from->v[v];
            else if (from->v[v] > to->v[v])
                to->v[v] = from->v[v];
    }
    list->count = count;
}

u64
omp_waits(const u64 *v)
{
    return v[OMP_WAIT_END] + v[OMP_WAIT_BARRIER] + v[OMP_WAIT_CRITICAL] +
           v[OMP_WAIT_ORDERED] + v[OMP_WAIT_TASK];
}

u64
omp_time(const u64 *v)
{
    return v[OMP_WORK] + omp_waits(v) + v[OMP_OVHD];
}

static int
by_time(const void *a, const void *b)
{
    const struct omp_place *x = a, *y = b;
    u64 x_time = omp_time(x->v), y_time = omp_time(y->v);

    if (x->v[OMP_ELAPSED] != y->v[OMP_ELAPSED])
        return x->v[OMP_ELAPSED] < y->v[OMP_ELAPSED] ? 1 : -1;
    if (x_time != y_time)
        return x_time < y_time ? 1 : -1;
    return by_place(a, b);
}

static int
by_work(const void *a, const void *b)
{
    const struct omp_place *x = a, *y = b;

    if (x->v[OMP_TASK_WORK] != y->v[OMP_TASK_WORK])
        return x->v[OMP_TASK_WORK] < y->v[OMP_TASK_WORK] ? 1 : -1;
    return by_place(a, b);
}

static int
by_loop(const void *a, const void *b)
{
    const struct omp_place *x = a, *y = b;

    for (u32 v = OMP_LOOP_ELAPSED; v < OMP_LOOP_VALUES; v++)
        if (x->v[v] != y->v[v])
            return x->v[v] < y->v[v] ? 1 : -1;
    return by_place(a, b);
}

static void
sort(struct list *list, int (*compare)(const void *, const void *))
{
    if (list->count)
        qsort(list->row, list->count, sizeof(*list->row), compare);
}

int
omp_get(struct session *session, struct omp *out)
{
    struct scan scan = { .lock = PTHREAD_MUTEX_INITIALIZER };
    struct list *region = &scan.list[WISH_REGION], *task = &scan.list[WISH_TASK];
    struct list *loop = &scan.list[WISH_LOOP];
    u64 loop_total[OMP_VALUES] = { 0 };
    struct omp omp = { 0 };
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, &scan);
    if (ret < 0) {
        free(region->row);
        free(task->row);
        free(loop->row);
        return ret;
    }
    unite(region, WISH_REGION, omp.total);
    unite(task, WISH_TASK, omp.task_total);
    unite(loop, WISH_LOOP, loop_total);
    sort(region, by_time);
    sort(task, by_work);
    sort(loop, by_loop);
    omp.region = region->row;
    omp.regions = region->count;
    omp.task = task->row;
    omp.tasks = task->count;
    omp.loop = loop->row;
    omp.loops = loop->count;
    omp.wall = scan.wall;
    omp.recorded = region->count || task->count;
    *out = omp;
    return 0;
}

void
omp_free(struct omp *omp)
{
    free(omp->region);
    free(omp->task);
    free(omp->loop);
    memset(omp, 0, sizeof(*omp));
}
