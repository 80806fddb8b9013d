/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiwait.h"

#include <stdlib.h>
#include <strings.h>

#include "print/cmd/mpicols.h"
#include "print/cmd/stackcell.h"

static const char *const patterns[MPI_PATTERNS] = {
    [MPI_LATE_SENDER] = "late sender",       [MPI_LATE_RECEIVER] = "late receiver",
    [MPI_WAIT_BARRIER] = "wait at barrier",  [MPI_WAIT_ALL] = "wait at N x N",
    [MPI_LATE_BROADCAST] = "late broadcast", [MPI_EARLY_REDUCE] = "early reduce",
    [MPI_EARLY_SCAN] = "early scan",         [MPI_LATE_NEIGHBOR] = "late neighbor",
    [MPI_LATE_POST] = "late post",           [MPI_EARLY_WAIT] = "early wait",
    [MPI_LOCK_CONTENTION] = "lock contention",
    [MPI_NO_PROGRESS] = "wait for progress",
};

struct view {
    struct shell *sh;
    const char *command;
    struct mpi_waits waits;
    u64 total; /* ns */
};

static void
add_unmatched(struct table *t, const struct mpi_waits *w)
{
    const struct mpi_unmatched *u = &w->unmatched;

    if (u->sends || u->receives)
        table_fact(t, "unmatched", "Messages without their other side",
                   arena_printf(&t->arena, "%llu sent, %llu received",
                                (unsigned long long)u->sends,
                                (unsigned long long)u->receives));
    if (u->collectives)
        table_fact(t, "torn", "Collective calls that some ranks did not come to",
                   arena_printf(&t->arena, "%llu",
                                (unsigned long long)u->collectives));
}

static struct table *
patterns_table(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);
    u32 time = table_column(t, "time", "Wait", "sec.", COL_NS, 0);
    u32 share = table_column(t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
    u32 count = table_column(t, "count", "Waits", "", COL_COUNT, 0);
    u32 longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    u32 name = table_column(t, "pattern", "What", "", COL_TEXT, 0);

    table_title(t, "Ranks that waited for others");
    mpicols_clocks(t, &v->waits.ranks, &v->waits.clocks);
    add_unmatched(t, &v->waits);
    for (u32 p = 0; p < MPI_PATTERNS; p++) {
        struct mpi_wait sum = { 0 };

        for (u32 i = 0; i < v->waits.count; i++) {
            const struct mpi_wait *wait = &v->waits.wait[i];

            if (wait->pattern != p)
                continue;
            sum.count += wait->count;
            sum.time += wait->time;
            sum.longest = wait->longest > sum.longest ? wait->longest : sum.longest;
        }
        if (!sum.count)
            continue;
        table_row(t, 0);
        table_number(t, time, sum.time);
        table_real(t, share, 100 * (double)sum.time / (double)v->total);
        table_number(t, count, sum.count);
        table_real(t, longest, (double)sum.longest / 1e3);
        table_text(t, name, patterns[p]);
    }
    return t;
}

struct wait_columns {
    u32 time, count, longest, pattern, world, who, whom_world, whom;
};

static bool
joins(const struct mpi_waits *w)
{
    const struct rank *rank = w->ranks.rank;

    for (u32 i = 0; i < w->count; i++)
        if (rank[w->wait[i].who].world != rank[w->wait[i].whom].world)
            return true;
    return false;
}

static void
add_columns(struct wait_columns *c, const struct view *v, struct table *t)
{
    c->time = table_column(t, "time", "Wait", "sec.", COL_NS, 0);
    c->count = table_column(t, "count", "Waits", "", COL_COUNT, 0);
    c->longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    c->pattern = table_column(t, "pattern", "What", "", COL_TEXT, 0);
    c->world = mpicols_world(t, &v->waits.ranks);
    c->who = table_column(t, "rank", "Rank", "", COL_COUNT, 0);
    c->whom_world =
        mpicols_other_world(t, "for_world", "For\nworld", joins(&v->waits));
    c->whom = table_column(t, "for_rank", "For", "", COL_COUNT, 0);
}

static void
fill(const struct wait_columns *c, const struct view *v, struct table *t,
     const struct mpi_wait *wait)
{
    const struct rank *rank = v->waits.ranks.rank;

    table_number(t, c->time, wait->time);
    table_number(t, c->count, wait->count);
    table_real(t, c->longest, (double)wait->longest / 1e3);
    table_text(t, c->pattern, patterns[wait->pattern]);
    mpicols_fill_world(v->sh, t, c->world, &v->waits.ranks, rank[wait->who].world);
    table_number(t, c->who, rank[wait->who].rank);
    mpicols_fill_world(v->sh, t, c->whom_world, &v->waits.ranks,
                       rank[wait->whom].world);
    table_number(t, c->whom, rank[wait->whom].rank);
}

static void
fill_place(const struct view *v, struct table *t, u32 column, u32 node)
{
    table_text(t, column, node ? stackcell_place(v->sh, t, node) : "<others>");
}

static struct table *
places_table(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);
    struct wait_columns c;
    u32 place, other, shown;

    table_title(t, "Places that waited, and what for");
    add_columns(&c, v, t);
    place = table_column(t, "place", "Waited at", "", COL_TEXT, 0);
    other = table_column(t, "other", "The other came to", "", COL_TEXT, 0);
    shown = mpicols_limit(v->sh, t, v->waits.count);
    for (u32 i = 0; i < shown; i++) {
        const struct mpi_wait *wait = &v->waits.wait[i];

        table_row(t, 0);
        fill(&c, v, t, wait);
        fill_place(v, t, place, wait->node);
        fill_place(v, t, other, wait->whom_node);
    }
    return t;
}

static int
show_stacks(struct view *v)
{
    struct table *t = table_new(v->command, LAYOUT_BLOCKS);
    u32 heading = table_column(t, "heading", "Wait", "", COL_TEXT, 0);
    u32 stack, other, shown;
    struct wait_columns c;
    int err = 0;

    table_title(t, "Stacks that waited, and those of the other side");
    mpicols_clocks(t, &v->waits.ranks, &v->waits.clocks);
    add_columns(&c, v, t);
    stack = table_column(t, "stack", "Waited", "", COL_LIST, 0);
    other = table_column(t, "other", "The other", "", COL_LIST, 0);
    shown = mpicols_limit(v->sh, t, v->waits.count);
    for (u32 i = 0; i < shown && !err; i++) {
        const struct mpi_wait *wait = &v->waits.wait[i];

        table_row(t, 0);
        table_format(t, heading, "Wait %u", i + 1);
        fill(&c, v, t, wait);
        err = stackcell_fill(v->sh, t, stack, wait->node) ||
              stackcell_fill(v->sh, t, other, wait->whom_node);
    }
    if (!err)
        return shell_show(v->sh, t);
    table_free(t);
    return shell_fail(v->sh, "no memory is left");
}

static int
show_both(struct view *v)
{
    struct table *t = patterns_table(v);

    table_follow(&t, places_table(v));
    return shell_show(v->sh, t);
}

int
cmd_mpiwait(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh, .command = argv[0] };
    bool stacks = argc > 1 && !strcasecmp(argv[1], "stacks");
    int err;

    if (argc > 1 && !stacks && strcasecmp(argv[1], "places"))
        return shell_fail(sh, "\"%s\" is neither places nor stacks", argv[1]);
    err = mpiwaits_get(sh->session, &v.waits);
    if (err)
        return shell_fail_errno(sh, err, "the waits cannot be shown");
    for (u32 i = 0; i < v.waits.count; i++)
        v.total += v.waits.wait[i].time;
    mpicols_dropped(sh, v.waits.dropped);
    if (!v.waits.recorded)
        err = mpicols_none(sh);
    else if (stacks)
        err = show_stacks(&v);
    else
        err = show_both(&v);
    mpiwaits_free(&v.waits);
    return err;
}
