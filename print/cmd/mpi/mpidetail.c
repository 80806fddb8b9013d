/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpidetail.h"

#include <stdio.h>
#include <strings.h>

#include "print/cmd/mpicols.h"
#include "print/cmd/stackcell.h"
#include "print/cmd/title.h"

/* By what calls are summed up. */
static const struct by {
    const char *word; /* the argument */
    const char *title, *key, *column;
    u32 by;
} views[] = {
    { "comms", "MPI calls by communicator", "communicator", "Communicator",
      MPI_COMMS },
    { "sizes", "Messages, and parts in collective calls, by size", "size", "Size",
      MPI_SIZES },
    { "places", "MPI calls by place", "place", "Called at", MPI_PLACES },
    { "stacks", "MPI calls by call path", "stack", "Stack", MPI_PLACES },
};

enum {
    VIEWS = ER_COUNT(views),
    ALL = 3, /* the first views, which are shown if none is asked for */
    STACKS = 3,
};

struct columns {
    u32 time, share, calls, sent, sent_bytes, received, received_bytes, uneven, rank;
    u32 function, what, heading;
};

static void
add_columns(struct columns *c, struct table *t, const struct by *by)
{
    bool sizes = by->by == MPI_SIZES, stacks = by == &views[STACKS];

    if (stacks)
        c->heading = table_column(t, "heading", "Path", "", COL_TEXT, 0);
    if (!sizes) {
        c->time = table_column(t, "time", "Time", "sec.", COL_NS, 0);
        c->share = table_column(t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
        c->calls = table_column(t, "calls", "Calls", "", COL_COUNT, 0);
    }
    c->sent = table_column(t, "sent", "Sent", "", COL_COUNT, COL_SPARSE);
    c->sent_bytes =
        table_column(t, "sent_bytes", "Sent\nbytes", "byte", COL_COUNT, COL_SPARSE);
    c->received = table_column(t, "received", "Received", "", COL_COUNT, COL_SPARSE);
    c->received_bytes = table_column(t, "received_bytes", "Received\nbytes", "byte",
                                     COL_COUNT, COL_SPARSE);
    c->uneven = table_column(t, "max_mean", "Max /\nmean", "", COL_REAL, 0);
    c->rank = table_column(t, "rank", "Rank", "", COL_COUNT, 0);
    if (by->by == MPI_PLACES)
        c->function = table_column(t, "function", "Function", "", COL_TEXT, 0);
    c->what = table_column(t, by->key, by->column, "", stacks ? COL_LIST : COL_TEXT, 0);
}

static void
fill(const struct columns *c, struct table *t, const struct by *by,
     const struct mpi_detail *d, const struct mpi_detail_row *row, u64 whole)
{
    table_row(t, 0);
    if (by->by != MPI_SIZES) {
        table_number(t, c->time, row->time);
        table_real(t, c->share, whole ? 100 * (double)row->time / (double)whole : 0);
        table_number(t, c->calls, row->count);
    }
    table_number(t, c->sent, row->sent.count);
    table_number(t, c->sent_bytes, row->sent.bytes);
    table_number(t, c->received, row->received.count);
    table_number(t, c->received_bytes, row->received.bytes);
    if (row->uneven > 0 && row->most_rank != RANK_NONE) {
        table_real(t, c->uneven, row->uneven);
        table_number(t, c->rank, d->ranks.rank[row->most_rank].rank);
    }
}

static void
fill_size(struct table *t, u32 column, u32 size)
{
    if (size < 2)
        table_format(t, column, "%u", size);
    else
        table_format(t, column, "%llu to %llu", 1ull << (size - 1),
                     (size < 64 ? 1ull << size : 0) - 1);
}

static int
fill_what(struct shell *sh, const struct columns *c, struct table *t,
          const struct by *by, const struct mpi_detail_row *row)
{
    char name[TITLE_MAX];

    switch (by->by) {
    case MPI_COMMS:
        table_text(t, c->what,
                   row->object ? title_comm(sh->session, row->object, name)
                               : "<none>");
        return 0;
    case MPI_SIZES:
        fill_size(t, c->what, (u32)row->object);
        return 0;
    default:
        table_text(t, c->function, title_mpi_call(row->call, name));
        if (by == &views[STACKS])
            return stackcell_fill(sh, t, c->what, row->node);
        table_text(t, c->what, stackcell_place(sh, t, row->node));
        return 0;
    }
}

/* Make a table. NULL after a message. */
static struct table *
make(struct shell *sh, const char *command, const struct by *by)
{
    bool stacks = by == &views[STACKS];
    struct mpi_detail d;
    struct columns c = { 0 };
    struct table *t;
    u64 whole = 0;
    u32 shown;
    int err = mpidetail_get(sh->session, by->by, &d);

    if (err) {
        shell_fail_errno(sh, err, "the MPI calls cannot be shown");
        return NULL;
    }
    if (!d.recorded) {
        mpidetail_free(&d);
        mpicols_none(sh);
        return NULL;
    }
    t = table_new(command, stacks ? LAYOUT_BLOCKS : LAYOUT_COLUMNS);
    table_title(t, "%s", by->title);
    add_columns(&c, t, by);
    for (u32 i = 0; i < d.rows; i++)
        whole += d.row[i].time;
    shown = by->by == MPI_SIZES ? d.rows : mpicols_limit(sh, t, d.rows);
    for (u32 i = 0; i < shown && !err; i++) {
        fill(&c, t, by, &d, &d.row[i], whole);
        if (stacks)
            table_format(t, c.heading, "Path %u", i + 1);
        err = fill_what(sh, &c, t, by, &d.row[i]);
    }
    mpidetail_free(&d);
    if (!err)
        return t;
    table_free(t);
    shell_fail(sh, "no memory is left");
    return NULL;
}

int
cmd_mpidetail(struct shell *sh, int argc, char **argv)
{
    struct table *first = NULL;
    u32 from = 0, end = ALL;

    if (argc > 1) {
        while (from < VIEWS && strcasecmp(argv[1], views[from].word))
            from++;
        if (from == VIEWS)
            return shell_fail(sh, "\"%s\" is none of comms, sizes, places, stacks",
                              argv[1]);
        end = from + 1;
    }
    for (u32 i = from; i < end; i++) {
        struct table *t = make(sh, argv[0], &views[i]);

        if (!t) {
            table_free(first);
            return 1;
        }
        table_follow(&first, t);
    }
    return shell_show(sh, first);
}
