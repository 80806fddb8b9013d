/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpidetail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/lookup/comms.h"
#include "print/model/mpi/mpiscan.h"
#include "print/model/symbols/stacks.h"
#include "print/model/tracescan.h"

/* The experiment whose sums are being added to *out. */
struct collecting {
    struct session *session;
    struct mpi_detail *out;
    u32 experiment;
    u32 rank;
    double rate;
};

static int
name(struct collecting *t, const struct bin *bin, struct mpi_detail_row *row)
{
    const struct number_map *map;

    if (bin->key.what >= MPI_BIN_PLACE) {
        row->call = bin->key.other;
        return stacks_of(t->session, t->experiment, bin->key.node, &row->node);
    }
    row->object = bin->key.object;
    if (bin->key.what >= MPI_BIN_SIZE_SENT)
        return 0;
    if (comms_map(t->session, t->experiment, &map) < 0)
        return -ENOMEM;
    row->object = number_of(map, bin->key.object);
    return 0;
}

static int
add_bin(struct collecting *t, const struct bin *bin)
{
    struct mpi_detail *out = t->out;
    struct mpi_sizes sizes = { bin->count, bin->bytes, bin->first, bin->most };
    struct mpi_detail_row row = { .most_rank = t->rank };

    if (bin->key.what < MPI_BIN_COMM)
        return 0;
    if (name(t, bin, &row) < 0 ||
        array_room(&out->row, &out->room, out->rows + 1, sizeof(row)) < 0)
        return -ENOMEM;
    switch (bin->key.what) {
    case MPI_BIN_COMM:
    case MPI_BIN_PLACE:
        row.count = bin->count;
        row.time = clock_scaled(bin->time, t->rate);
        break;
    case MPI_BIN_COMM_SENT:
    case MPI_BIN_SIZE_SENT:
    case MPI_BIN_PLACE_SENT:
        row.sent = sizes;
        break;
    default:
        row.received = sizes;
        break;
    }
    out->row[out->rows++] = row;
    return 0;
}

static int
add_experiment(struct session *session, u32 index, u32 by, struct mpi_detail *out)
{
    struct collecting t = { session, out, index, RANK_NONE, 0 };
    struct bins bins;
    int ret;

    for (u32 i = 0; i < out->ranks.count; i++)
        if (out->ranks.rank[i].experiment == index)
            t.rank = i;
    if (tracescan_rate(session->experiment[index], FILE_mpitrace, &t.rate) < 0)
        return -ENOMEM;
    ret = mpiscan_run(session, index, by, &bins);
    if (ret < 0 && ret != -ENOENT)
        return ret;
    out->recorded |= ret == 0 || experiment_is_requested(session->experiment[index],
                                                         FILE_mpitrace);
    if (ret == -ENOENT)
        return 0;
    for (u32 i = 0; i < bins.count && ret == 0; i++)
        ret = add_bin(&t, &bins.bin[i]);
    bins_free(&bins);
    return ret;
}

static int
compare(const struct mpi_detail_row *x, const struct mpi_detail_row *y)
{
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->call < y->call ? -1 : x->call > y->call;
}

static int
by_key(const void *a, const void *b)
{
    const struct mpi_detail_row *x = a, *y = b;
    int order = compare(x, y);

    if (order)
        return order;
    return x->most_rank < y->most_rank ? -1 : x->most_rank > y->most_rank;
}

static int
by_time(const void *a, const void *b)
{
    const struct mpi_detail_row *x = a, *y = b;
    u64 mine = x->sent.bytes + x->received.bytes;
    u64 other = y->sent.bytes + y->received.bytes;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (mine != other)
        return mine < other ? 1 : -1;
    return compare(x, y);
}

static u64
weight(const struct mpi_detail_row *row)
{
    return row->time ? row->time : row->sent.bytes + row->received.bytes;
}

static void
add(struct mpi_detail_row *to, const struct mpi_detail_row *more)
{
    to->count += more->count;
    to->time += more->time;
    mpisums_add(&to->sent, &more->sent);
    mpisums_add(&to->received, &more->received);
}

/*
 * Merge row `first` and the following rows with the same key, of all ranks, into *to.
 * Returns how many rows those were.
 */
static u32
join(const struct mpi_detail *d, u32 first, struct mpi_detail_row *to)
{
    const struct mpi_detail_row *row = d->row;
    u32 ranks = d->ranks.count ? d->ranks.count : 1, at = first;

    *to = row[first];
    to->count = to->time = 0;
    memset(&to->sent, 0, sizeof(to->sent));
    memset(&to->received, 0, sizeof(to->received));
    while (at < d->rows && !compare(&row[at], &row[first])) {
        struct mpi_detail_row its = row[at++];

        for (; at < d->rows && !by_key(&row[at], &its); at++)
            add(&its, &row[at]);
        add(to, &its);
        if (weight(&its) <= to->most)
            continue;
        to->most = weight(&its);
        to->most_rank = its.most_rank;
    }
    if (weight(to))
        to->uneven = (double)to->most * ranks / (double)weight(to);
    return at - first;
}

static void
settle(struct mpi_detail *d, bool by_size)
{
    u32 kept = 0;

    if (!d->rows)
        return;
    qsort(d->row, d->rows, sizeof(*d->row), by_key);
    for (u32 i = 0; i < d->rows;) {
        struct mpi_detail_row row;

        i += join(d, i, &row);
        d->row[kept++] = row;
    }
    d->rows = kept;
    if (!by_size)
        qsort(d->row, kept, sizeof(*d->row), by_time);
}

int
mpidetail_get(struct session *session, u32 by, struct mpi_detail *out)
{
    struct mpi_detail detail = { 0 };
    int ret = ranks_of(session, &detail.ranks);

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, by, &detail);
    if (ret < 0) {
        mpidetail_free(&detail);
        return ret;
    }
    settle(&detail, by == MPI_SIZES);
    *out = detail;
    return 0;
}

void
mpidetail_free(struct mpi_detail *d)
{
    ranks_free(&d->ranks);
    free(d->row);
    memset(d, 0, sizeof(*d));
}
