/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads did in costly instances: everything that was recorded of them in that
 * time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/region/costly.h"
#include "print/model/region/regionusage.h"
#include "print/model/sync/locks.h"
#include "print/model/tracescan.h"

enum {
    PARTS_MAX = 512,
    FAULTS = 32,         /* faults from which the cost of one can be estimated */
    FAULT_NS_MAX = 25000, /* upper limit of what one page fault costs */
};

enum wish {
    WISH_WAIT,
    WISH_IO,
    WISH_MPI,
    WISH_CLOCK,
    WISH_OFF,
    WISH_USAGE,
    WISH_NOTICE,
    WISHES,
};

static const struct {
    enum er_file file;
    struct trace_wish wish;
} wishes[WISHES] = {
    [WISH_WAIT] = { FILE_synctrace, { "wait", { "time", "took", "kind", "object",
                                                "holder", "holder_node", "node" } } },
    [WISH_IO] = { FILE_iotrace, { "io", { "time", "took", "call", "file", "bytes",
                                          "node" } } },
    [WISH_MPI] = { FILE_mpitrace, { "mpi", { "time", "took", "call", "node" } } },
    [WISH_CLOCK] = { FILE_profile, { "clock", { "time", "weight", "mstate",
                                                "node" } } },
    [WISH_OFF] = { FILE_profile, { "off", { "time", "weight", "mstate", "node" } } },
    [WISH_USAGE] = { FILE_regions, { "usage", { "time", "cpu", "minflt", "majflt",
                                                "nvcsw", "nivcsw" } } },
    [WISH_NOTICE] = { FILE_regions, { "notice", { "time", "what", "since", "value",
                                                  "text" } } },
};

/* The costly instances of one thread, sorted by their beginnings. */
struct thread {
    struct costly **row;
    u64 *reach; /* by row: the latest end of this row and the rows before it */
    u32 count, room;
    struct region_readings readings;
};

struct gathering {
    struct session *session;
    struct thread *thread; /* by slot */
    u32 slots;
    u32 index;    /* the experiment's */
    double rate;  /* ns of a tick */
    u32 shift;    /* of the file that is read */
    enum wish wish;
    bool no_memory;
};

static bool
same_thing(const struct costly_part *a, const struct costly_part *b)
{
    if (a->kind != b->kind || a->what != b->what)
        return false;
    if (a->kind == COSTLY_LOCK)
        return a->object == b->object && a->holder == b->holder &&
               a->holder_node == b->holder_node;
    if (a->kind == COSTLY_IO)
        return a->object == b->object;
    return a->kind == COSTLY_MPI || a->node == b->node;
}

static void
add_part(struct gathering *g, struct costly *c, const struct costly_part *part)
{
    u32 i = 0;

    while (i < c->parts && !same_thing(&c->part[i], part))
        i++;
    if (i == c->parts) {
        if (i == PARTS_MAX)
            return;
        if (array_room(&c->part, &c->room, i + 1, sizeof(*part)) < 0) {
            g->no_memory = true;
            return;
        }
        c->part[c->parts++] = *part;
        return;
    }
    c->part[i].ns += part->ns;
    c->part[i].count += part->count;
    c->part[i].bytes += part->bytes;
}

/*
 * An event of a thread lasted from `from` to `to`: add to each costly instance its part
 * of the event. A hit stands for the time before it, and counts only for instances that
 * had not ended.
 */
static void
share(struct gathering *g, u32 slot, u64 from, u64 to, struct costly_part *part)
{
    const struct thread *t = &g->thread[slot];
    u32 i = t->count;

    while (i && t->row[i - 1]->from > to)
        i--;
    for (; i && t->reach[i - 1] >= from; i--) {
        struct costly *c = t->row[i - 1];
        u64 begin = from > c->from ? from : c->from, end = to < c->to ? to : c->to;

        if (begin > end || (part->kind == COSTLY_SAMPLE && to >= c->to))
            continue;
        part->ns = clock_scaled(end - begin, g->rate);
        add_part(g, c, part);
    }
}

static void
read_usage(struct gathering *g, const struct trace_row *row)
{
    struct region_readings *of = &g->thread[row->slot].readings;
    struct region_reading reading = { .time = trace_get(row, 0) << g->shift };

    for (u32 i = 0; i < USE_COUNT; i++)
        reading.used[i] = trace_get(row, i + 1);
    if (array_room(&of->at, &of->room, of->count + 1, sizeof(reading)) < 0)
        g->no_memory = true;
    else
        of->at[of->count++] = reading;
}

/* Store the number or text that the program gave to an instance, if it is costly. */
static void
read_notice(struct gathering *g, const struct trace_row *row)
{
    const struct thread *t = &g->thread[row->slot];
    u64 from = (trace_get(row, 0) - trace_get(row, 2)) << g->shift;
    u64 what = trace_get(row, 1);
    struct er_str text = trace_text(row, 4);

    for (u32 i = 0; i < t->count; i++) {
        struct costly *c = t->row[i];

        if (c->from != from)
            continue;
        if (what == NOTICE_NUMBER) {
            c->numbered = true;
            c->number = (int64_t)trace_get(row, 3);
        } else if (what == NOTICE_TEXT) {
            free(c->text);
            c->text = strndup(text.s, text.len);
            g->no_memory |= !c->text;
        }
    }
}

static struct costly_part
part_of(const struct gathering *g, const struct trace_row *row)
{
    struct costly_part part = { .count = 1 };

    switch (g->wish) {
    case WISH_WAIT:
        part.kind = COSTLY_LOCK;
        part.what = lock_kind(trace_get(row, 2));
        part.object = trace_get(row, 3);
        part.holder = (u32)trace_get(row, 4);
        part.holder_node = (u32)trace_get(row, 5);
        part.node = (u32)trace_get(row, 6);
        break;
    case WISH_IO:
        part.kind = COSTLY_IO;
        part.what = (u32)trace_get(row, 2);
        part.object = trace_get(row, 3);
        part.bytes = trace_get(row, 4);
        part.node = (u32)trace_get(row, 5);
        break;
    case WISH_MPI:
        part.kind = COSTLY_MPI;
        part.what = (u32)trace_get(row, 2);
        part.node = (u32)trace_get(row, 3);
        break;
    default:
        part.kind = g->wish == WISH_CLOCK ? COSTLY_SAMPLE : COSTLY_OFF;
        part.what = (u32)trace_get(row, 2);
        part.node = (u32)trace_get(row, 3);
        break;
    }
    return part;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct gathering *g = context;
    u64 to = trace_get(row, 0) << g->shift, took = trace_get(row, 1);
    struct costly_part part;

    if (g->wish == WISH_USAGE) {
        read_usage(g, row);
        return;
    }
    if (!g->thread[row->slot].count)
        return;
    if (g->wish == WISH_NOTICE) {
        read_notice(g, row);
        return;
    }
    if (g->wish == WISH_CLOCK || g->wish == WISH_OFF)
        took = clock_scaled(took, 1 / g->rate);
    else
        took <<= g->shift;
    part = part_of(g, row);
    share(g, row->slot, took < to ? to - took : 0, to, &part);
}

static int
read_files(struct gathering *g)
{
    int ret = 0;

    for (u32 i = 0; i < WISHES && ret == 0; i++) {
        struct trace_sink sink = { &wishes[i].wish, 1, on_row, g };
        struct record_source source;

        if (experiment_source(g->session->experiment[g->index], wishes[i].file,
                              &source) < 0)
            continue;
        g->wish = (enum wish)i;
        g->shift = source.schema->time_shift;
        ret = tracescan_all(g->session, g->index, wishes[i].file, &sink);
    }
    return ret == 0 && g->no_memory ? -ENOMEM : ret;
}

/*
 * Set what the thread used between its last reading before the instance and the first
 * reading after it, if both are known.
 */
static void
read_account(const struct gathering *g, const struct region_readings *r,
             struct costly *c)
{
    u32 before = 0, behind;

    while (before + 1 < r->count && r->at[before + 1].time <= c->from)
        before++;
    behind = before;
    while (behind < r->count && r->at[behind].time < c->to)
        behind++;
    if (behind == r->count || r->at[before].time > c->from)
        return;
    c->known = true;
    for (u32 i = 0; i < USE_COUNT; i++)
        c->used[i] = (double)(r->at[behind].used[i] - r->at[before].used[i]);
    c->slack = (double)(c->from - r->at[before].time + r->at[behind].time - c->to) *
               g->rate;
}

/* `faults` page faults took at most `ns`: lower the upper bound for the cost of one. */
static void
bound_faults(struct costlies *out, double ns, double faults)
{
    double one = ns / faults;

    if (faults < FAULTS || ns <= 0)
        return;
    one = one < FAULT_NS_MAX ? one : FAULT_NS_MAX;
    if (out->fault_ns == 0 || one < out->fault_ns)
        out->fault_ns = one;
}

/*
 * Bound the cost of a page fault by the process's system time, which includes all of
 * it.
 */
static int
measure_process(struct experiment *e, struct costlies *out)
{
    const u32 both = 1u << SAMPLE_system | 1u << SAMPLE_minflt;
    const struct sample_row *first, *last;

    if (experiment_samples(e) < 0)
        return -ENOMEM;
    if (e->samples.count < 2)
        return 0;
    first = &e->samples.row[0];
    last = &e->samples.row[e->samples.count - 1];
    if ((first->known & last->known & both) == both)
        bound_faults(out, (double)last->value[SAMPLE_system] -
                              (double)first->value[SAMPLE_system],
                     (double)last->value[SAMPLE_minflt] -
                         (double)first->value[SAMPLE_minflt]);
    return 0;
}

/* Bound the cost of a page fault by a thread's CPU time between two of its readings. */
static void
measure_faults(const struct region_readings *r, struct costlies *out)
{
    for (u32 i = 1; i < r->count; i++) {
        const struct region_reading *a = &r->at[i - 1], *b = &r->at[i];
        double faults = (double)b->used[USE_MINFLT] - (double)a->used[USE_MINFLT];
        double cpu = (double)b->used[USE_CPU] - (double)a->used[USE_CPU];

        bound_faults(out, cpu, faults);
    }
}

static int
compare_begins(const void *a, const void *b)
{
    const struct costly *x = *(struct costly *const *)a;
    const struct costly *y = *(struct costly *const *)b;

    return x->from < y->from ? -1 : x->from > y->from;
}

static int
sort_threads(struct gathering *g, struct costlies *all)
{
    for (u32 i = 0; i < all->count; i++) {
        struct thread *t = &g->thread[all->row[i].slot];

        if (all->row[i].experiment != g->index)
            continue;
        if (array_room(&t->row, &t->room, t->count + 1, sizeof(*t->row)) < 0)
            return -ENOMEM;
        t->row[t->count++] = &all->row[i];
    }
    for (u32 i = 0; i < g->slots; i++) {
        struct thread *t = &g->thread[i];

        if (!t->count)
            continue;
        qsort(t->row, t->count, sizeof(struct costly *), compare_begins);
        t->reach = calloc(t->count, sizeof(*t->reach));
        if (!t->reach)
            return -ENOMEM;
        for (u32 k = 0; k < t->count; k++) {
            t->reach[k] = t->row[k]->to;
            if (k && t->reach[k - 1] > t->reach[k])
                t->reach[k] = t->reach[k - 1];
        }
    }
    return 0;
}

static int
explain_experiment(struct gathering *g, struct costlies *all)
{
    struct experiment *e = g->session->experiment[g->index];
    int ret;

    g->slots = e->threads.count + 1;
    g->thread = calloc(g->slots, sizeof(*g->thread));
    g->rate = clock_rate(&e->clock);
    ret = g->thread ? sort_threads(g, all) : -ENOMEM;
    if (ret == 0)
        ret = read_files(g);
    if (ret == 0)
        ret = measure_process(e, all);
    for (u32 i = 0; g->thread && i < g->slots; i++) {
        struct thread *t = &g->thread[i];

        regionusage_sort(&t->readings);
        if (ret == 0)
            measure_faults(&t->readings, all);
        for (u32 k = 0; k < t->count && ret == 0; k++)
            read_account(g, &t->readings, t->row[k]);
        free(t->row);
        free(t->reach);
        free(t->readings.at);
    }
    free(g->thread);
    return ret;
}

static int
compare_parts(const void *a, const void *b)
{
    const struct costly_part *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

int
costly_explain(struct session *session, struct costlies *all)
{
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        struct gathering g = { .session = session, .index = i };
        bool any = false;

        for (u32 k = 0; k < all->count; k++)
            any |= all->row[k].experiment == i;
        if (any)
            ret = explain_experiment(&g, all);
    }
    for (u32 i = 0; i < all->count; i++)
        if (all->row[i].parts > 1)
            qsort(all->row[i].part, all->row[i].parts, sizeof(*all->row[i].part),
                  compare_parts);
    return ret;
}
