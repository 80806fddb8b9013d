/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mpicols.h"

/* The parts of a rank's time. */
static const struct {
    const char *key, *title;
    size_t at; /* in struct mpi_share */
} parts[] = {
    { "compute", "Compute", offsetof(struct mpi_share, compute) },
    { "mpi", "MPI", offsetof(struct mpi_share, mpi) },
    { "io", "I/O", offsetof(struct mpi_share, io) },
    { "elapsed", "Elapsed", offsetof(struct mpi_share, elapsed) },
};

enum { PARTS = ER_COUNT(parts) };

static u64
part_of(const struct mpi_share *share, u32 part)
{
    return *(const u64 *)(const void *)((const char *)share + parts[part].at);
}

static struct table *
ranks_table(struct shell *sh, const char *command, const struct mpi *mpi)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 world = mpicols_world(t, &mpi->ranks), column[PARTS], percent[PARTS];
    u32 rank = table_column(t, "rank", "Rank", "", COL_COUNT, 0);
    u32 cpu, calls, host, path, shown;

    table_title(t, "Time of the ranks");
    for (u32 i = 0; i < PARTS; i++) {
        column[i] = table_column(t, parts[i].key, parts[i].title, "sec.", COL_NS, 0);
        percent[i] = i + 1 < PARTS
                         ? table_column(t, arena_printf(&t->arena, "%s_share",
                                                        parts[i].key),
                                        "Share", "%", COL_PERCENT, COL_JOINED)
                         : 0;
    }
    cpu = table_column(t, "cpu", "CPU", "sec.", COL_NS, 0);
    calls = table_column(t, "calls", "MPI\ncalls", "", COL_COUNT, 0);
    host = table_column(t, "host", "Host", "", COL_TEXT, 0);
    path = table_column(t, "experiment", "Experiment", "", COL_TEXT, COL_DATA_ONLY);
    shown = shell_limit(sh, t, mpi->shares);
    for (u32 k = 0; k < shown; k++) {
        const struct mpi_share *share = &mpi->share[k];
        double whole = share->elapsed ? (double)share->elapsed : 1;

        table_row(t, 0);
        mpicols_fill_world(sh, t, world, &mpi->ranks, share->rank->world);
        table_number(t, rank, share->rank->rank);
        for (u32 i = 0; i < PARTS; i++) {
            table_number(t, column[i], part_of(share, i));
            if (i + 1 < PARTS)
                table_real(t, percent[i], 100 * (double)part_of(share, i) / whole);
        }
        table_number(t, cpu, share->cpu);
        table_number(t, calls, share->calls);
        table_text(t, host, mpi->ranks.host[share->rank->host].name);
        table_text(t, path, sh->session->experiment[share->rank->experiment]->path);
    }
    return t;
}

/* How one kind of time is spread over the ranks of a world. */
struct spread {
    u64 sum, least, most;
    u32 count, least_rank, most_rank;
};

static struct spread
spread_of(const struct mpi *mpi, u32 world, u32 part)
{
    struct spread s = { 0 };

    for (u32 i = 0; i < mpi->shares; i++) {
        const struct mpi_share *share = &mpi->share[i];
        u64 v = part_of(share, part);

        if (share->rank->world != world)
            continue;
        if (!s.count || v < s.least) {
            s.least = v;
            s.least_rank = share->rank->rank;
        }
        if (!s.count || v > s.most) {
            s.most = v;
            s.most_rank = share->rank->rank;
        }
        s.sum += v;
        s.count++;
    }
    return s;
}

struct spread_columns {
    u32 world, part, mean, least, least_rank, most, most_rank, cost, share;
};

static void
add_spread(struct table *t, const struct spread_columns *c, const struct spread *s,
           u64 whole)
{
    u64 cost = s->most * s->count - s->sum;

    table_number(t, c->mean, s->sum / s->count);
    table_number(t, c->least, s->least);
    table_number(t, c->least_rank, s->least_rank);
    table_number(t, c->most, s->most);
    table_number(t, c->most_rank, s->most_rank);
    table_number(t, c->cost, cost);
    table_real(t, c->share, whole ? 100 * (double)cost / (double)whole : 0);
}

/*
 * Show how much time imbalance costs: while one rank has more work than the mean, the
 * other ranks wait.
 */
static struct table *
spread_table(struct shell *sh, const char *command, const struct mpi *mpi)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    struct spread_columns c;

    table_title(t, "Imbalance: what the ranks lose by not having the mean each");
    c.world = mpicols_world(t, &mpi->ranks);
    c.part = table_column(t, "part", "Part", "", COL_TEXT, 0);
    c.mean = table_column(t, "mean", "Mean", "sec.", COL_NS, 0);
    c.least = table_column(t, "least", "Least", "sec.", COL_NS, 0);
    c.least_rank = table_column(t, "least_rank", "Rank", "", COL_COUNT, 0);
    c.most = table_column(t, "most", "Most", "sec.", COL_NS, 0);
    c.most_rank = table_column(t, "most_rank", "Rank", "", COL_COUNT, 0);
    c.cost = table_column(t, "cost", "Cost", "sec.", COL_NS, 0);
    c.share = table_column(t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
    for (u32 world = 0; world < mpi->ranks.worlds; world++) {
        struct spread elapsed = spread_of(mpi, world, PARTS - 1);

        for (u32 i = 0; i < PARTS && elapsed.count; i++) {
            struct spread s = spread_of(mpi, world, i);

            table_row(t, 0);
            mpicols_fill_world(sh, t, c.world, &mpi->ranks, world);
            table_text(t, c.part, parts[i].title);
            add_spread(t, &c, &s, elapsed.sum);
        }
    }
    return t;
}

int
cmd_mpibalance(struct shell *sh, int argc, char **argv)
{
    struct table *t;
    struct mpi mpi;

    (void)argc;
    if (mpicols_get(sh, MPI_SHARES, &mpi))
        return 1;
    t = ranks_table(sh, argv[0], &mpi);
    table_follow(&t, spread_table(sh, argv[0], &mpi));
    mpi_free(&mpi);
    return shell_show(sh, t);
}
