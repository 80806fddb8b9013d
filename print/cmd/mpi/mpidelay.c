/* SPDX-License-Identifier: Apache-2.0 */
/* Shows what caused the waiting of ranks, or what is on the critical path. */
#include "print/model/mpi/mpimerge.h"

#include <strings.h>

#include "print/cmd/mpicols.h"
#include "print/cmd/mpi/mpipathtext.h"

struct view {
    struct shell *sh;
    const char *command;
    struct table *t;
    struct mpi_delays d;
    bool critical; /* the path is shown, not the delays */
    bool stacks;
    u32 time, share, part[2], world, rank, place, heading;
};

static double
cost_of(const struct mpi_cause *cause)
{
    return cause->direct + cause->indirect;
}

static double
critical_of(const struct mpi_cause *cause)
{
    return cause->critical;
}

static u64
whole(double ns)
{
    return ns > 0 ? (u64)(ns + 0.5) : 0;
}

/* Add the columns of times, which differ between the two commands. */
static void
add_times(struct view *v)
{
    const char *first = v->critical ? "On the\npath" : "Waiting\ncaused";

    v->time = table_column(v->t, v->critical ? "critical" : "cost", first, "sec.",
                           COL_NS, 0);
    v->share = table_column(v->t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
    if (v->critical) {
        v->part[0] = table_column(v->t, "mean", "Mean of\nranks", "sec.", COL_NS, 0);
        v->part[1] = table_column(v->t, "imbalance", "Imbalance", "sec.", COL_NS, 0);
    } else {
        v->part[0] = table_column(v->t, "direct", "Direct", "sec.", COL_NS, 0);
        v->part[1] = table_column(v->t, "indirect", "Indirect", "sec.", COL_NS, 0);
    }
}

static void
add_columns(struct view *v)
{
    if (v->stacks)
        v->heading = table_column(v->t, "heading", v->critical ? "Part" : "Cause", "",
                                  COL_TEXT, 0);
    add_times(v);
    v->world = mpicols_world(v->t, &v->d.ranks);
    v->rank = table_column(v->t, "rank", v->critical ? "Mostly\nrank" : "Rank", "",
                           COL_COUNT, 0);
    if (v->stacks)
        v->place = table_column(v->t, "stack", "What", "", COL_LIST, 0);
    else
        v->place = table_column(v->t, "function", "Function", "", COL_TEXT, 0);
}

static void
fill_times(const struct view *v, const struct mpi_cause *cause)
{
    const struct rank *rank = &v->d.ranks.rank[cause->rank];
    double all = v->critical ? v->d.critical : v->d.waited;
    double mean = cause->all / v->d.ranks.world[rank->world].count;

    table_number(v->t, v->time, whole(cause->value));
    table_real(v->t, v->share, all > 0 ? 100 * cause->value / all : 0);
    table_number(v->t, v->part[0], whole(v->critical ? mean : cause->direct));
    table_number(v->t, v->part[1],
                 whole(v->critical ? cause->critical - mean : cause->indirect));
}

static void
add_row(const struct view *v, u32 number)
{
    const struct mpi_cause *cause = &v->d.cause[number];
    const struct rank *rank = &v->d.ranks.rank[cause->rank];
    const struct mpi_paths *paths = &v->d.tracks.paths;

    table_row(v->t, 0);
    fill_times(v, cause);
    mpicols_fill_world(v->sh, v->t, v->world, &v->d.ranks, rank->world);
    table_number(v->t, v->rank, rank->rank);
    if (!v->stacks) {
        table_text(v->t, v->place,
                   mpipathtext_place(v->sh, v->t, paths, cause->path));
        return;
    }
    table_format(v->t, v->heading, "%s %u", v->critical ? "Part" : "Cause", number + 1);
    mpipathtext_fill(v->sh, v->t, v->place, paths, cause->path);
}

static int
show(struct view *v)
{
    double all = v->critical ? v->d.critical : v->d.waited;
    u32 count = 0, shown;

    v->t = table_new(v->command, v->stacks ? LAYOUT_BLOCKS : LAYOUT_COLUMNS);
    table_title(v->t, v->critical ? "The critical path over all ranks"
                                  : "What caused the waiting of ranks for others");
    mpicols_clocks(v->t, &v->d.ranks, &v->d.clocks);
    table_fact(v->t, v->critical ? "length" : "waited",
               v->critical ? "Its length" : "Waiting of all ranks",
               arena_printf(&v->t->arena, "%.3f sec.", all / 1e9));
    add_columns(v);
    while (count < v->d.causes && v->d.cause[count].value >= 0.5)
        count++;
    shown = mpicols_limit(v->sh, v->t, count);
    for (u32 i = 0; i < shown; i++)
        add_row(v, i);
    return shell_show(v->sh, v->t);
}

static int
run(struct shell *sh, int argc, char **argv, bool critical)
{
    struct view v = { .sh = sh, .command = argv[0], .critical = critical };
    int err;

    v.stacks = argc > 1 && !strcasecmp(argv[1], "stacks");
    if (argc > 1 && !v.stacks && strcasecmp(argv[1], "functions"))
        return shell_fail(sh, "\"%s\" is neither functions nor stacks", argv[1]);
    err = mpidelays_get(sh->session, NULL, &v.d);
    if (!err)
        err = mpimerge_causes(&v.d, !v.stacks, critical,
                              critical ? critical_of : cost_of);
    if (err) {
        mpidelays_free(&v.d);
        return shell_fail_errno(sh, err, "what ranks waited for cannot be shown");
    }
    mpicols_dropped(sh, v.d.dropped);
    err = v.d.recorded ? show(&v) : mpicols_none(sh);
    mpidelays_free(&v.d);
    return err;
}

int
cmd_mpidelay(struct shell *sh, int argc, char **argv)
{
    return run(sh, argc, argv, false);
}

int
cmd_mpicritical(struct shell *sh, int argc, char **argv)
{
    return run(sh, argc, argv, true);
}
