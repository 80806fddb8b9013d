/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "print/cmd/mpicols.h"
#include "print/cmd/mpi/mpihung.h"
#include "print/cmd/title.h"

struct columns {
    struct table *t;
    u32 time, share, calls, longest, sent, sent_bytes, received, received_bytes;
    u32 least, most, error, function;
};

static void
add_columns(struct columns *c, struct table *t)
{
    c->t = t;
    c->time = table_column(t, "time", "Time", "sec.", COL_NS, 0);
    c->share = table_column(t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
    c->calls = table_column(t, "calls", "Calls", "", COL_COUNT, 0);
    c->longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    c->sent = table_column(t, "sent", "Sent", "", COL_COUNT, COL_SPARSE);
    c->sent_bytes =
        table_column(t, "sent_bytes", "Sent\nbytes", "byte", COL_COUNT, COL_SPARSE);
    c->received = table_column(t, "received", "Received", "", COL_COUNT, COL_SPARSE);
    c->received_bytes = table_column(t, "received_bytes", "Received\nbytes", "byte",
                                     COL_COUNT, COL_SPARSE);
    c->least = table_column(t, "smallest", "Smallest", "byte", COL_COUNT, 0);
    c->most = table_column(t, "largest", "Largest", "byte", COL_COUNT, 0);
    c->error = table_column(t, "error", "Error\nclass", "", COL_COUNT, COL_SPARSE);
    c->function = table_column(t, "function", "Function", "", COL_TEXT, 0);
}

static void
add_row(const struct columns *c, const struct mpi_call *call, u64 whole,
        const char *name)
{
    struct mpi_sizes both = call->sent;

    mpisums_add(&both, &call->received);
    table_row(c->t, 0);
    table_number(c->t, c->time, call->time);
    table_real(c->t, c->share, whole ? 100 * (double)call->time / (double)whole : 0);
    table_number(c->t, c->calls, call->count);
    table_real(c->t, c->longest, (double)call->longest / 1e3);
    table_number(c->t, c->sent, call->sent.count);
    table_number(c->t, c->sent_bytes, call->sent.bytes);
    table_number(c->t, c->received, call->received.count);
    table_number(c->t, c->received_bytes, call->received.bytes);
    if (both.count) {
        table_number(c->t, c->least, both.least);
        table_number(c->t, c->most, both.most);
    }
    table_number(c->t, c->error, call->error);
    table_text(c->t, c->function, name);
}

static int
by_time(const void *a, const void *b)
{
    const struct mpi_call *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return x->error < y->error ? -1 : x->error > y->error;
}

static struct mpi_call
sum(const struct mpi *mpi)
{
    struct mpi_call all = { 0 };

    for (u32 i = 0; i < mpi->calls; i++) {
        const struct mpi_call *call = &mpi->call[i];

        all.count += call->count;
        all.time += call->time;
        if (call->longest > all.longest)
            all.longest = call->longest;
        mpisums_add(&all.sent, &call->sent);
        mpisums_add(&all.received, &call->received);
    }
    return all;
}

int
cmd_mpi(struct shell *sh, int argc, char **argv)
{
    struct columns c;
    struct table *t;
    struct mpi_call all;
    struct mpi mpi;
    u32 shown;

    (void)argc;
    if (mpicols_get(sh, MPI_CALLS, &mpi))
        return 1;
    if (mpi.calls)
        qsort(mpi.call, mpi.calls, sizeof(*mpi.call), by_time);
    all = sum(&mpi);
    t = table_new(argv[0], LAYOUT_COLUMNS);
    table_title(t, "MPI calls by function, by time");
    add_columns(&c, t);
    add_row(&c, &all, all.time, "<Total>");
    shown = shell_limit(sh, t, mpi.calls);
    for (u32 i = 0; i < shown; i++) {
        char name[TITLE_MAX];

        add_row(&c, &mpi.call[i], all.time, title_mpi_call(mpi.call[i].call, name));
    }
    mpi_free(&mpi);
    if (mpihung_follow(sh, argv[0], &t)) {
        table_free(t);
        return 1;
    }
    return shell_show(sh, t);
}
