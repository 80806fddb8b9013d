/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/region/regionnone.h"
#include "print/model/region/regionbuild.h"
#include "print/model/views/regionjoin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/costly.h"
#include "print/cmd/region/regionlist.h"
#include "print/cmd/stackcell.h"

enum {
    DRAWN_LEVELS = 32,
    COUNTERS = METRIC_hwc7 - METRIC_hwc0 + 1,
};

/*
 * The columns of metrics by region; each is a sum of metrics, and shown if it has a
 * value.
 */
static const struct {
    const char *key, *title;
    enum metric metric[3];
    u32 metrics;
    unsigned flags;
} joined[] = {
    { "sampled_cpu", "Sampled\nCPU", { METRIC_totalcpu }, 1, COL_DATA_ONLY },
    { "no_cpu", "No\nCPU", { METRIC_wait }, 1, 0 },
    { "lock", "Lock", { METRIC_lock }, 1, 0 },
    { "event", "Event", { METRIC_event }, 1, 0 },
    { "io_wait", "I/O\nwait", { METRIC_io }, 1, 0 },
    { "sleep", "Sleep", { METRIC_sleep }, 1, 0 },
    { "fault_wait", "Page\nwait", { METRIC_datapfault }, 1, 0 },
    { "stopped", "Stopped", { METRIC_stop }, 1, 0 },
    { "sync", "Sync\nwait", { METRIC_sync }, 1, 0 },
    { "sync_waits", "Sync\nwaits", { METRIC_syncn }, 1, 0 },
    { "io_time", "I/O\ntime",
      { METRIC_ioreadtime, METRIC_iowritetime, METRIC_ioothertime }, 3, 0 },
    { "read", "Read", { METRIC_ioreadbytes }, 1, 0 },
    { "written", "Written", { METRIC_iowritebytes }, 1, 0 },
    { "mpi", "MPI", { METRIC_mpitime }, 1, 0 },
    { "mpi_calls", "MPI\ncalls", { METRIC_mpicnt }, 1, 0 },
    { "sent", "MPI\nsent", { METRIC_mpisendbytes }, 1, COL_DETAIL },
    { "received", "MPI\nreceived", { METRIC_mpirecvbytes }, 1, COL_DETAIL },
    { "blocks", "Blocks", { METRIC_heapalloccnt }, 1, 0 },
    { "allocated", "Allocated", { METRIC_heapallocbytes }, 1, 0 },
    { "leaked", "Leaked", { METRIC_heapleakbytes }, 1, 0 },
};

struct view {
    struct shell *sh;
    const char *command;
    const struct regions *all;
    struct region_join join;
    struct table *tables;
    struct table *t;
    u32 count, wall, share, bar, self, cpu, unsure, waiting, faults, major, switches,
        preempted, mean, longest, threads, balance, open, ticks, id, parent, depth,
        drawn, name, path;
    u32 joined[ER_COUNT(joined)], counter[COUNTERS];
};

static void
time_columns(struct view *v, struct table *t)
{
    v->count = table_column(t, "count", "Count", "", COL_COUNT, 0);
    v->wall = table_column(t, "wall", "Wall", "ms", COL_REAL, 0);
    v->share = table_column(t, "share", "", "%", COL_PERCENT, COL_JOINED);
    v->bar = table_column(t, "bar", "", "", COL_BAR, COL_TEXT_ONLY);
    v->self = table_column(t, "self", "Self", "ms", COL_REAL, 0);
    v->cpu = table_column(t, "cpu", "CPU", "ms", COL_REAL, 0);
    v->unsure = table_column(t, "cpu_error", "+/-", "ms", COL_REAL, COL_SPARSE);
    v->waiting = table_column(t, "waiting", "Not on\na CPU", "ms", COL_REAL,
                              COL_SPARSE);
    v->faults = table_column(t, "faults", "Page\nfaults", "", COL_COUNT, COL_SPARSE);
    v->major = table_column(t, "major_faults", "", "", COL_COUNT, COL_DATA_ONLY);
    v->switches = table_column(t, "switches", "", "", COL_COUNT, COL_DATA_ONLY);
    v->preempted = table_column(t, "preempted", "", "", COL_COUNT, COL_DATA_ONLY);
    v->mean = table_column(t, "mean", "Mean", "us", COL_REAL, 0);
    v->longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
}

static int64_t
joined_value(const struct view *v, u32 column, u32 region)
{
    int64_t sum = 0;

    for (u32 i = 0; i < joined[column].metrics; i++)
        sum += v->join.all[region].v[joined[column].metric[i]];
    return sum;
}

static void
joined_columns(struct view *v)
{
    for (u32 i = 0; i < ER_COUNT(joined); i++) {
        const struct metric_desc *d = &metrics[joined[i].metric[0]];
        bool time = d->unit == METRIC_NS;

        if (joined_value(v, i, 0))
            v->joined[i] = table_column(v->t, joined[i].key, joined[i].title,
                                        time                         ? "ms"
                                        : d->unit == METRIC_BYTES ? "byte" : "",
                                        time ? COL_REAL : COL_COUNT,
                                        COL_SPARSE | joined[i].flags);
    }
    for (u32 i = 0; i < COUNTERS; i++)
        if (v->join.all[0].v[METRIC_hwc0 + i])
            v->counter[i] = table_column(v->t, metrics[METRIC_hwc0 + i].name,
                                         metrics[METRIC_hwc0 + i].title, "",
                                         COL_COUNT, COL_SPARSE);
}

static void
fill_joined(const struct view *v, u32 at)
{
    for (u32 i = 0; i < ER_COUNT(joined); i++) {
        int64_t value = v->joined[i] ? joined_value(v, i, at) : 0;

        if (v->joined[i] && metrics[joined[i].metric[0]].unit == METRIC_NS)
            table_real(v->t, v->joined[i], (double)value / 1e6);
        else if (v->joined[i])
            table_number(v->t, v->joined[i], (u64)value);
    }
    for (u32 i = 0; i < COUNTERS; i++)
        if (v->counter[i])
            table_number(v->t, v->counter[i],
                         (u64)v->join.all[at].v[METRIC_hwc0 + i]);
}

static void
columns(struct view *v)
{
    struct table *t = v->t;

    time_columns(v, t);
    joined_columns(v);
    v->threads = table_column(t, "threads", "Threads", "", COL_COUNT, 0);
    v->balance = table_column(t, "balance", "Balance", "%", COL_PERCENT, 0);
    v->open = table_column(t, "open", "Not\nended", "", COL_COUNT, COL_SPARSE);
    v->ticks = table_column(t, "ticks", "", "", COL_COUNT, COL_DATA_ONLY);
    v->id = table_column(t, "id", "", "", COL_COUNT, COL_DATA_ONLY);
    v->parent = table_column(t, "parent", "", "", COL_COUNT, COL_DATA_ONLY);
    v->depth = table_column(t, "depth", "", "", COL_COUNT, COL_DATA_ONLY);
    v->drawn = table_column(t, "drawn", "Region", "", COL_TEXT,
                            COL_TEXT_ONLY | COL_BEGINNING);
    v->name = table_column(t, "name", "", "", COL_TEXT, COL_DATA_ONLY);
    v->path = table_column(t, "path", "Region", "", COL_TEXT, COL_DATA_ONLY);
}

static u64
whole(double value)
{
    return value > 0 ? (u64)(value + 0.5) : 0;
}

static void
draw(const struct view *v, const struct region *r)
{
    u32 depth = r->depth - 1;

    if (depth > DRAWN_LEVELS)
        table_format(v->t, v->drawn, "%*s(%u) %s", DRAWN_LEVELS, "", depth,
                     r->name);
    else
        table_format(v->t, v->drawn, "%*s%s",
                     (int)(depth < 16 ? 2 * depth : 16 + depth), "", r->name);
}

static void
fill_use(const struct view *v, const struct region *r)
{
    double cpu = r->used[USE_CPU] < r->wall ? r->used[USE_CPU] : r->wall;

    table_real(v->t, v->cpu, cpu / 1e6);
    table_real(v->t, v->unsure, r->unsure / 1e6);
    table_real(v->t, v->waiting, (r->wall - cpu) / 1e6);
    table_number(v->t, v->faults, whole(r->used[USE_MINFLT] + r->used[USE_MAJFLT]));
    table_number(v->t, v->major, whole(r->used[USE_MAJFLT]));
    table_number(v->t, v->switches, whole(r->used[USE_SWITCHES]));
    table_number(v->t, v->preempted, whole(r->used[USE_PREEMPTED]));
}

static int
fill(const struct view *v, u32 at)
{
    const struct region *r = &v->all->region[at];
    double all = v->all->region[0].wall;
    char *path = regions_path(v->all, at);
    u64 instances = r->count + r->open;

    if (!path)
        return -ENOMEM;
    table_row(v->t, region_self(r) * 5 >= all && all > 0 ? ROW_HOT : 0);
    table_number(v->t, v->count, r->count);
    table_real(v->t, v->wall, r->wall / 1e6);
    if (all > 0) {
        table_real(v->t, v->share, 100 * r->wall / all);
        table_real(v->t, v->bar, r->wall / all);
    }
    table_real(v->t, v->self, region_self(r) / 1e6);
    fill_use(v, r);
    fill_joined(v, at);
    if (instances)
        table_real(v->t, v->mean, r->wall / 1e3 / (double)instances);
    if (r->count)
        table_real(v->t, v->longest, r->longest / 1e3);
    table_number(v->t, v->threads, r->threads);
    if (r->threads > 1 && r->busiest > 0)
        table_real(v->t, v->balance,
                   100 * r->wall / (r->threads * r->busiest));
    table_number(v->t, v->open, r->open);
    table_number(v->t, v->ticks, r->ticks);
    table_number(v->t, v->id, at);
    table_number(v->t, v->parent, r->parent);
    table_number(v->t, v->depth, r->depth);
    draw(v, r);
    table_text(v->t, v->name, r->name);
    table_text(v->t, v->path, path);
    free(path);
    return 0;
}

/* Add a fact, unless its count is 0. */
static void
fact(struct table *t, const char *key, const char *title, u64 count)
{
    if (count)
        table_fact(t, key, title,
                   arena_printf(&t->arena, "%llu", (unsigned long long)count));
}

static int
show_tree(struct view *v)
{
    u32 left, present = 0;
    int ret = 0;

    for (u32 i = 1; i < v->all->count; i++)
        present += v->all->region[i].present;
    v->t = table_new(v->command, LAYOUT_COLUMNS);
    table_title(v->t, "Regions that the program has named, by wall time");
    table_follow(&v->tables, v->t);
    fact(v->t, "strays", "Ends without a beginning", v->all->strays);
    fact(v->t, "too_deep", "Times that regions were too deep to be recorded",
         v->all->too_deep);
    columns(v);
    left = shell_limit(v->sh, v->t, present);
    for (u32 i = v->all->region[0].child; i && left && ret == 0;
         i = regions_next(v->all, i))
        if (v->all->region[i].present) {
            ret = fill(v, i);
            left--;
        }
    return ret;
}

static void
show_intervals(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);
    u32 count = table_column(t, "count", "Count", "", COL_COUNT, 0);
    u32 wall = table_column(t, "wall", "Wall", "ms", COL_REAL, 0);
    u32 mean = table_column(t, "mean", "Mean", "us", COL_REAL, 0);
    u32 longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    u32 elsewhere = table_column(t, "elsewhere", "Ended by\nanother", "", COL_COUNT,
                                 COL_SPARSE);
    u32 open = table_column(t, "open", "Not\nended", "", COL_COUNT, COL_SPARSE);
    u32 name = table_column(t, "name", "Interval", "", COL_TEXT, 0);
    u32 shown = shell_limit(v->sh, t, v->all->intervals);

    table_title(t, "Intervals, by wall time");
    table_follow(&v->tables, t);
    for (u32 i = 0; i < shown; i++) {
        const struct region_interval *at = &v->all->interval[i];

        table_row(t, 0);
        table_number(t, count, at->count);
        table_real(t, wall, at->wall / 1e6);
        if (at->count)
            table_real(t, mean, at->wall / 1e3 / (double)at->count);
        table_real(t, longest, at->longest / 1e3);
        table_number(t, elsewhere, at->elsewhere);
        table_number(t, open, at->open);
        table_text(t, name, at->name);
    }
}

static void
show_marks(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);
    u32 count = table_column(t, "count", "Count", "", COL_COUNT, 0);
    u32 name = table_column(t, "name", "Mark", "", COL_TEXT, 0);
    u32 shown = shell_limit(v->sh, t, v->all->marks);

    table_title(t, "Marks");
    table_follow(&v->tables, t);
    for (u32 i = 0; i < shown; i++) {
        table_row(t, 0);
        table_number(t, count, v->all->mark[i].count);
        table_text(t, name, v->all->mark[i].name);
    }
}

/* Show the numbers that the program has given to instances. */
static void
show_numbers(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);
    u32 count = table_column(t, "count", "Count", "", COL_COUNT, 0);
    u32 sum = table_column(t, "sum", "Sum", "", COL_REAL, 0);
    u32 least = table_column(t, "least", "Least", "", COL_REAL, 0);
    u32 mean = table_column(t, "mean", "Mean", "", COL_REAL, 0);
    u32 most = table_column(t, "most", "Most", "", COL_REAL, 0);
    u32 region = table_column(t, "region", "Numbers of", "", COL_TEXT, 0);

    table_title(t, "Numbers");
    for (u32 i = v->all->region[0].child; i; i = regions_next(v->all, i)) {
        const struct region_numbers *n = &v->all->region[i].numbers;
        char *path = n->count ? regions_path(v->all, i) : NULL;

        if (!path)
            continue;
        table_row(t, 0);
        table_number(t, count, n->count);
        table_real(t, sum, n->sum);
        table_real(t, least, (double)n->least);
        table_real(t, mean, n->sum / (double)n->count);
        table_real(t, most, (double)n->most);
        table_text(t, region, path);
        free(path);
    }
    if (t->nrows)
        table_follow(&v->tables, t);
    else
        table_free(t);
}

static void
show_texts(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);
    u32 count = table_column(t, "count", "Count", "", COL_COUNT, 0);
    u32 text = table_column(t, "text", "Text", "", COL_TEXT, 0);
    u32 region = table_column(t, "region", "Of", "", COL_TEXT, 0);
    u32 shown = shell_limit(v->sh, t, v->all->texts);

    table_title(t, "Texts");
    table_follow(&v->tables, t);
    fact(t, "others", "More, of other texts", v->all->more_texts);
    for (u32 i = 0; i < shown; i++) {
        char *path = regions_path(v->all, v->all->text[i].region);

        table_row(t, 0);
        table_number(t, count, v->all->text[i].count);
        table_text(t, text, v->all->text[i].name);
        table_text(t, region, path);
        free(path);
    }
}

int
cmd_regions(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh, .command = argv[0] };
    struct regions all;
    int ret;

    if (argc > 1 && !strcasecmp(argv[1], "costly"))
        return costly_show(sh, argv[0]);
    if (argc > 1 && !strcasecmp(argv[1], "instances"))
        return regionlist_show(sh, argv[0]);
    if (argc > 1 && strcasecmp(argv[1], "tree"))
        return shell_fail(sh, "\"%s\" is none of tree, costly, instances", argv[1]);
    ret = regionbuild(sh->session, &all);
    if (ret == -ENOENT)
        return regionnone_fail(sh);
    if (ret < 0)
        return shell_fail_errno(sh, ret, "regions cannot be summed up");
    v.all = &all;
    ret = regionjoin_make(sh->session, &all, &v.join);
    if (ret == 0)
        ret = show_tree(&v);
    regionjoin_free(&v.join);
    if (all.intervals)
        show_intervals(&v);
    if (all.marks)
        show_marks(&v);
    if (ret == 0)
        show_numbers(&v);
    if (all.texts)
        show_texts(&v);
    regions_free(&all);
    if (ret == 0)
        return shell_show(sh, v.tables);
    table_free(v.tables);
    return shell_fail_errno(sh, ret, "regions cannot be shown");
}
