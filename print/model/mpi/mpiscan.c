/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiscan.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/pass/tracepass.h"
#include "share/mpicall.h"

enum wish {
    WISH_MPI,
    WISH_DONE,
    WISH_START,
    WISHES,
};

/* Indices of the fields that all three wishes have. */
enum field {
    FIELD_CALL,
    FIELD_PEER,
    FIELD_SENT,
    FIELD_RECEIVED,
    FIELD_TOOK,
    FIELD_KIND,
    FIELD_ERROR,
    FIELD_COMM,
    FIELD_NODE,
    FIELD_AGAIN,
};

static const struct trace_wish wishes[WISHES] = {
    { "mpi",
      { "call", "peer", "sent", "received", "took", "kind", "error", "comm", "node",
        "again" } },
    { "done", { "call", "peer", "", "received", "", "", "", "comm", "posted_node" } },
    { "start", { "call", "peer", "sent", "", "", "", "", "comm", "node" } },
};

struct scan {
    u32 want;
    struct bins *bins; /* TRACE_WORKERS of them */
};

/* A record's transfer. */
struct transfer {
    u64 sent, received;
    u64 peer; /* 0 = none */
    u32 call;
    u32 error;
    u32 comm, node; /* the process's own ids */
    u64 again;      /* further calls for which the record stands */
    enum er_mpi_kind kind; /* of the call */
    bool sends, receives;  /* a message, however small it is */
};

/* Is the kind (enum er_mpi_kind) that of a call on files? */
static bool
is_file_kind(u64 kind)
{
    return kind == MPI_KIND_FILE || kind == MPI_KIND_FILE_ALL;
}

static void
add_size(struct bins *bins, struct bin_key key, u64 bytes)
{
    bins_add(bins, &key, bytes, bytes, bytes);
}

static void
add_sizes(struct bins *bins, const struct transfer *t)
{
    struct bin_key key = { .object = t->error, .other = t->call };

    if (t->sends || t->sent) {
        key.what = MPI_BIN_SENT;
        add_size(bins, key, t->sent);
    }
    if (t->receives || t->received) {
        key.what = MPI_BIN_RECEIVED;
        add_size(bins, key, t->received);
    }
}

static void
add_pairs(struct bins *bins, const struct transfer *t)
{
    struct bin_key key = { .object = t->peer - 1 };

    if (!t->peer || t->error)
        return;
    if (t->peer >= MPI_PEER_OUTSIDE)
        key.node = t->comm;
    if (t->sends || (t->kind == MPI_KIND_RMA && t->sent)) {
        key.what = t->sends ? MPI_BIN_TO : MPI_BIN_PUT;
        add_size(bins, key, t->sent);
    }
    if (t->receives || (t->kind == MPI_KIND_RMA && t->received)) {
        key.what = t->receives ? MPI_BIN_FROM : MPI_BIN_GET;
        add_size(bins, key, t->received);
    }
}

/*
 * Add a message to the sums by communicator, by size and by call path that are wanted.
 */
static void
add_detail(const struct scan *scan, struct bins *bins, const struct transfer *t,
           bool sent)
{
    u64 bytes = sent ? t->sent : t->received;
    const struct bin_key comm = {
        .what = sent ? MPI_BIN_COMM_SENT : MPI_BIN_COMM_RECEIVED, .object = t->comm
    };
    const struct bin_key size = {
        .what = sent ? MPI_BIN_SIZE_SENT : MPI_BIN_SIZE_RECEIVED,
        .object = mpisums_class(bytes)
    };
    const struct bin_key place = {
        .what = sent ? MPI_BIN_PLACE_SENT : MPI_BIN_PLACE_RECEIVED,
        .node = t->node, .other = t->call
    };

    if (!(sent ? t->sends : t->receives) && !bytes)
        return;
    if (scan->want & MPI_COMMS)
        add_size(bins, comm, bytes);
    if (scan->want & MPI_SIZES)
        add_size(bins, size, bytes);
    if (scan->want & MPI_PLACES)
        add_size(bins, place, bytes);
}

static void
add_transfer(const struct scan *scan, struct bins *bins, const struct transfer *t)
{
    if (scan->want & MPI_CALLS)
        add_sizes(bins, t);
    if (scan->want & MPI_PAIRS)
        add_pairs(bins, t);
    if (scan->want & (MPI_COMMS | MPI_SIZES | MPI_PLACES)) {
        add_detail(scan, bins, t, true);
        add_detail(scan, bins, t, false);
    }
}

static bool
sends(enum er_mpi_kind kind)
{
    return kind == MPI_KIND_SEND || kind == MPI_KIND_SENDRECV;
}

/*
 * Add calls to a bin. Of a record that stands for several calls, only the sum of their
 * times is known, so `most` gets their mean.
 */
static void
add_calls(struct bins *bins, const struct bin_key *key, const struct transfer *t,
          const struct trace_share *share)
{
    struct bin *bin = bins_of(bins, key);
    u64 mean = share->took / (t->again + 1);

    if (!bin)
        return;
    bin->count += share->counts ? t->again + 1 : 0;
    bin->time += share->took;
    bin->most = mean > bin->most ? mean : bin->most;
}

static void
on_call(const struct scan *scan, struct bins *bins, const struct trace_row *row,
        struct transfer *t, enum er_mpi_mode mode, const struct trace_share *share)
{
    struct bin_key call = { .object = t->error, .other = t->call };
    struct bin_key time = { .what = MPI_BIN_TIME, .thread = row->slot,
                            .other = is_file_kind(t->kind) };
    struct bin_key comm = { .what = MPI_BIN_COMM, .object = t->comm };
    struct bin_key place = { .what = MPI_BIN_PLACE, .node = t->node,
                             .other = t->call };

    if (scan->want & MPI_CALLS)
        add_calls(bins, &call, t, share);
    if (scan->want & MPI_SHARES)
        add_calls(bins, &time, t, share);
    if (scan->want & MPI_COMMS)
        add_calls(bins, &comm, t, share);
    if (scan->want & MPI_PLACES)
        add_calls(bins, &place, t, share);
    if (mode != MPI_MODE_INIT && t->peer) {
        /* An operation that MPI_Start begins may report itself, too, if it sends. */
        t->sends = sends(t->kind);
        t->receives = t->kind == MPI_KIND_RECV && mode == MPI_MODE_BLOCK &&
                      t->call != MPICALL_Mrecv;
    }
}

static bool
receives(enum er_mpi_kind kind)
{
    return kind == MPI_KIND_RECV || kind == MPI_KIND_SENDRECV;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct scan *scan = context;
    struct bins *bins = &scan->bins[row->worker];
    struct transfer t = {
        .sent = trace_get(row, FIELD_SENT),
        .received = trace_get(row, FIELD_RECEIVED),
        .peer = trace_get(row, FIELD_PEER),
        .call = (u32)trace_get(row, FIELD_CALL),
        .error = (u32)trace_get(row, FIELD_ERROR),
        .comm = (u32)trace_get(row, FIELD_COMM),
        .node = (u32)trace_get(row, FIELD_NODE),
        .again = trace_get(row, FIELD_AGAIN),
        .kind = (enum er_mpi_kind)trace_get(row, FIELD_KIND),
    };
    const struct er_mpicall_desc *desc = mpicall_desc(t.call);
    struct trace_share share;

    if (!tracepass_share(row, trace_get(row, FIELD_TOOK), &share))
        return;
    if (row->wish != WISH_MPI)
        t.kind = desc ? desc->kind : MPI_KIND_ENV;
    if (row->wish == WISH_MPI)
        on_call(scan, bins, row, &t, desc ? desc->mode : MPI_MODE_LOCAL,
                &share);
    else if (row->wish == WISH_DONE)
        t.receives = t.peer && receives(t.kind);
    else
        t.sends = t.peer && sends(t.kind);
    if (share.counts)
        add_transfer(scan, bins, &t);
}

int
mpiscan_run(struct session *session, u32 experiment, u32 want, struct bins *out)
{
    struct scan scan = { want, calloc(TRACE_WORKERS, sizeof(*scan.bins)) };
    struct trace_sink sink = { wishes, WISHES, on_row, &scan };
    int ret = scan.bins ? tracepass_run(session, experiment, FILE_mpitrace, &sink)
                        : -ENOMEM;

    for (u32 i = 1; i < TRACE_WORKERS && scan.bins; i++) {
        bins_merge(&scan.bins[0], &scan.bins[i]);
        bins_free(&scan.bins[i]);
    }
    if (ret == 0 && scan.bins[0].no_memory)
        ret = -ENOMEM;
    if (ret == 0)
        *out = scan.bins[0];
    else if (scan.bins)
        bins_free(&scan.bins[0]);
    free(scan.bins);
    return ret;
}
