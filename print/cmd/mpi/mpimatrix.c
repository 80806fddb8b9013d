/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <strings.h>

#include "print/cmd/mpicols.h"
#include "print/cmd/mpi/mpimessages.h"

enum {
    MPI_GRID_MAX = 1024,
};

struct pair_columns {
    u32 world, from, to_world, to, messages, bytes, least, most;
    u32 received, received_bytes, aside, aside_bytes;
};

static void
add_columns(struct pair_columns *c, struct table *t, const struct mpi *mpi)
{
    c->world = mpicols_world(t, &mpi->ranks);
    c->from = table_column(t, "from", "From", "", COL_COUNT, 0);
    c->to_world = mpicols_other_world(t, "to_world", "To\nworld", mpi->joins);
    c->to = table_column(t, "to", "To", "", COL_COUNT, 0);
    c->messages = table_column(t, "messages", "Messages", "", COL_COUNT, 0);
    c->bytes = table_column(t, "bytes", "Bytes", "byte", COL_COUNT, 0);
    c->least = table_column(t, "smallest", "Smallest", "byte", COL_COUNT, 0);
    c->most = table_column(t, "largest", "Largest", "byte", COL_COUNT, 0);
    c->received = table_column(t, "received", "Received", "", COL_COUNT, 0);
    c->received_bytes =
        table_column(t, "received_bytes", "Received\nbytes", "byte", COL_COUNT, 0);
    c->aside = table_column(t, "one_sided", "One-sided", "", COL_COUNT, COL_SPARSE);
    c->aside_bytes = table_column(t, "one_sided_bytes", "One-sided\nbytes", "byte",
                                  COL_COUNT, COL_SPARSE);
}

static void
add_pair(const struct shell *sh, struct table *t, const struct pair_columns *c,
         const struct ranks *ranks, const struct mpi_pair *pair)
{
    const struct mpi_sizes *sizes = pair->sent.count ? &pair->sent : &pair->received;

    if (!sizes->count)
        sizes = &pair->aside;
    table_row(t, 0);
    mpicols_fill_world(sh, t, c->world, ranks, pair->world);
    table_number(t, c->from, pair->from);
    mpicols_fill_world(sh, t, c->to_world, ranks, pair->to_world);
    table_number(t, c->to, pair->to);
    table_number(t, c->messages, pair->sent.count);
    table_number(t, c->bytes, pair->sent.bytes);
    table_number(t, c->least, sizes->least);
    table_number(t, c->most, sizes->most);
    table_number(t, c->received, pair->received.count);
    table_number(t, c->received_bytes, pair->received.bytes);
    table_number(t, c->aside, pair->aside.count);
    table_number(t, c->aside_bytes, pair->aside.bytes);
}

static void
add_facts(struct table *t, const struct mpi *mpi)
{
    struct mpi_pair all = { 0 };
    struct {
        const char *key, *title;
        const struct mpi_sizes *sizes;
    } facts[] = { { "total_sent", "Messages sent", &all.sent },
                  { "total_received", "Messages received", &all.received },
                  { "total_one_sided", "One-sided transfers", &all.aside },
                  { "lost_sent", "Sent to ranks of unknown worlds, not shown",
                    &mpi->lost_sent },
                  { "lost_received", "Received from such ranks, not shown",
                    &mpi->lost_received } };

    for (u32 i = 0; i < mpi->pairs; i++) {
        mpisums_add(&all.sent, &mpi->pair[i].sent);
        mpisums_add(&all.received, &mpi->pair[i].received);
        mpisums_add(&all.aside, &mpi->pair[i].aside);
    }
    for (u32 i = 0; i < ER_COUNT(facts); i++)
        if (facts[i].sizes->count)
            table_fact(t, facts[i].key, facts[i].title,
                       arena_printf(&t->arena, "%llu, %llu bytes",
                                    (unsigned long long)facts[i].sizes->count,
                                    (unsigned long long)facts[i].sizes->bytes));
}

static int
show_pairs(struct shell *sh, const char *command, const struct mpi *mpi)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    struct pair_columns c;
    u32 shown;

    table_title(t, "Messages from rank to rank");
    add_facts(t, mpi);
    add_columns(&c, t, mpi);
    shown = shell_limit(sh, t, mpi->pairs);
    for (u32 i = 0; i < shown; i++)
        add_pair(sh, t, &c, &mpi->ranks, &mpi->pair[i]);
    return shell_show(sh, t);
}

/* The highest number of a rank in any world, plus 1. */
static u32
highest(const struct mpi *mpi)
{
    u32 end = 0;

    for (u32 i = 0; i < mpi->pairs; i++) {
        end = mpi->pair[i].from >= end ? mpi->pair[i].from + 1 : end;
        end = mpi->pair[i].to >= end ? mpi->pair[i].to + 1 : end;
    }
    return end;
}

/*
 * How many columns there are for receiving ranks: one for each number of a rank,
 * whatever its world; but if messages go from world to world, one for each rank of each
 * world.
 */
static u32
receivers(const struct mpi *mpi)
{
    return highest(mpi) * (mpi->joins ? mpi->ranks.worlds : 1);
}

static u32
add_receivers(struct table *t, const struct mpi *mpi)
{
    u32 ranks = highest(mpi), first = 0;

    for (u32 i = 0; i < receivers(mpi); i++) {
        u32 world = i / ranks + 1, rank = i % ranks, column;
        char key[48], title[32];

        if (mpi->joins) {
            snprintf(key, sizeof(key), "to_%u_%u", world, rank);
            snprintf(title, sizeof(title), "%u:%u", world, rank);
        } else {
            snprintf(key, sizeof(key), "to_%u", rank);
            snprintf(title, sizeof(title), "%u", rank);
        }
        column = table_column(t, key, title, "byte", COL_COUNT, COL_SPARSE);
        first = i ? first : column;
    }
    return first;
}

/*
 * Show a table with a row for each sending rank, and a column for each receiving rank.
 */
static int
show_grid(struct shell *sh, const char *command, const struct mpi *mpi)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 world, from, first, ranks = mpi->joins ? highest(mpi) : 0;
    const struct mpi_pair *last = NULL;

    table_title(t, mpi->joins
                       ? "Bytes sent, from rank (row) to rank (column, world:rank)"
                       : "Bytes sent, from rank (row) to rank (column)");
    add_facts(t, mpi);
    world = mpicols_world(t, &mpi->ranks);
    from = table_column(t, "from", "From", "", COL_COUNT, 0);
    first = add_receivers(t, mpi);
    for (u32 i = 0; i < mpi->pairs; i++) {
        const struct mpi_pair *pair = &mpi->pair[i];

        if (!last || last->world != pair->world || last->from != pair->from) {
            table_row(t, 0);
            mpicols_fill_world(sh, t, world, &mpi->ranks, pair->world);
            table_number(t, from, pair->from);
        }
        last = pair;
        table_number(t, first + pair->to_world * ranks + pair->to,
                     pair->sent.bytes + pair->aside.bytes);
    }
    return shell_show(sh, t);
}

int
cmd_mpimatrix(struct shell *sh, int argc, char **argv)
{
    bool grid = argc > 1 && !strcasecmp(argv[1], "grid");
    struct mpi mpi;
    int err;

    if (argc > 1 && !strcasecmp(argv[1], "messages"))
        return mpimessages_show(sh, argv[0]);
    if (argc > 1 && !grid && strcasecmp(argv[1], "pairs"))
        return shell_fail(sh, "\"%s\" is none of pairs, grid, messages", argv[1]);
    if (mpicols_get(sh, MPI_PAIRS, &mpi))
        return 1;
    if (grid && receivers(&mpi) > MPI_GRID_MAX)
        err = shell_fail(sh, "a grid has at most %d ranks; without the argument there "
                             "is a list", MPI_GRID_MAX);
    else
        err = (grid ? show_grid : show_pairs)(sh, argv[0], &mpi);
    mpi_free(&mpi);
    return err;
}
