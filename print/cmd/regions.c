/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/shell.h"
#include "print/cmd/stackcell.h"

enum {
    DRAWN_LEVELS = 32,
};

struct view {
    struct shell *sh;
    const char *command;
    const struct regions *all;
    struct table *tables;
    struct table *t;
    u32 count, wall, share, bar, self, cpu, unsure, waiting, faults, major, switches,
        preempted, mean, longest, threads, balance, open, ticks, id, parent, depth,
        drawn, name, path;
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

static void
columns(struct view *v)
{
    struct table *t = v->t;

    time_columns(v, t);
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
    v->path = table_column(t, "path", "", "", COL_TEXT, COL_DATA_ONLY);
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

/* A fact, if there is something to say. */
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
    u32 left;
    int ret = 0;

    v->t = table_new(v->command, LAYOUT_COLUMNS);
    table_title(v->t, "Regions that the program has named, by wall time");
    table_follow(&v->tables, v->t);
    fact(v->t, "strays", "Ends without a beginning", v->all->strays);
    fact(v->t, "too_deep", "Times that regions were too deep to be recorded",
         v->all->too_deep);
    columns(v);
    left = shell_limit(v->sh, v->t, v->all->count - 1);
    for (u32 i = v->all->region[0].child; i && left && ret == 0; left--) {
        ret = fill(v, i);
        i = regions_next(v->all, i);
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

int
cmd_regions(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh, .command = argv[0] };
    struct regions all;
    int ret;

    (void)argc;
    ret = regions_build(sh->session, &all);
    if (ret == -ENOENT)
        return shell_fail(sh, "the program has named no regions: it does so by calls "
                              "of libcollector.h");
    if (ret < 0)
        return shell_fail_errno(sh, ret, "regions cannot be summed up");
    v.all = &all;
    ret = show_tree(&v);
    if (all.intervals)
        show_intervals(&v);
    if (all.marks)
        show_marks(&v);
    regions_free(&all);
    if (ret == 0)
        return shell_show(sh, v.tables);
    table_free(v.tables);
    return shell_fail_errno(sh, ret, "regions cannot be shown");
}
