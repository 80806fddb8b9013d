/* SPDX-License-Identifier: Apache-2.0 */
/* Point-to-point messages, and probes for them. */
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_put.h"
#include "collector/mpi/mpi_request.h"

static void
set_peer(struct mpi_call *c, const struct mpi_comm *comm, int rank, int tag)
{
    c->r.comm = comm ? comm->id : 0;
    c->r.peer = mpi_comm_peer(comm, rank);
    c->r.tag = c->r.peer || rank == mpi_abi.any_source ? mpi_tag(tag) : 0;
}

/*
 * Set the record's peer and tag from the status of a receive. Returns the bytes
 * received.
 */
static u64
read_status(struct mpi_call *c, const struct mpi_comm *comm)
{
    set_peer(c, comm, mpi_status_int(c->statuses, mpi_abi.at_source),
             mpi_status_int(c->statuses, mpi_abi.at_tag));
    return mpi_status_bytes(c->statuses);
}

static int
is_nobody(int rank)
{
    return rank == mpi_abi.proc_null;
}

/* Parameters: (buf, count, type, dest, tag, comm [, request]) */
static void
send(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[5]));
    int to = mpi_int(c, 3);

    set_peer(c, comm, to, mpi_int(c, 4));
    if (!c->result && !is_nobody(to))
        c->r.sent = mpi_bytes(c, 1);
    mpi_request_begun(c, comm, c->row->at, OUTCOME_NONE);
}

RECIPE(send, NULL, send);

/* Parameters: (buf, partitions, count, type, dest, tag, comm, info, request) */
static void
psend(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[6]));

    set_peer(c, comm, mpi_int(c, 4), mpi_int(c, 5));
    if (!is_nobody(mpi_int(c, 4)))
        c->r.sent = (u64)mpi_int(c, 1) * (u64)c->a[2] * mpi_type_bytes(c->a[3]);
    mpi_request_begun(c, comm, 8, OUTCOME_NONE);
}

RECIPE(psend, NULL, psend);

/*
 * Parameters as in psend(). The status does not give the bytes received, but all
 * partitions have a fixed size.
 */
static void
precv(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[6]));

    set_peer(c, comm, mpi_int(c, 4), mpi_int(c, 5));
    if (!is_nobody(mpi_int(c, 4)))
        c->r.received = (u64)mpi_int(c, 1) * (u64)c->a[2] * mpi_type_bytes(c->a[3]);
    mpi_request_begun(c, comm, 8, OUTCOME_NONE);
}

RECIPE(precv, NULL, precv);

/* Parameters: (buf, count, type, source, tag, comm, status or request) */
static void
before_recv(struct mpi_call *c)
{
    if (c->row->mode == MPI_MODE_BLOCK)
        mpi_want_status(c, c->row->at);
}

static void
recv(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[5]));

    set_peer(c, comm, mpi_int(c, 3), mpi_int(c, 4));
    if (c->row->mode != MPI_MODE_BLOCK)
        mpi_request_begun(c, comm, c->row->at,
                          is_nobody(mpi_int(c, 3)) ? OUTCOME_NONE : OUTCOME_MESSAGE);
    else if (!c->result && !is_nobody(mpi_int(c, 3)))
        c->r.received = read_status(c, comm);
}

RECIPE(recv, before_recv, recv);

/* Record the message that a blocking send-and-receive call has received. */
static void
put_received(struct mpi_call *c, struct mpi_comm *comm, int from)
{
    struct rec_done r = { .call = c->row->call, .kind = c->row->kind };
    int source = mpi_status_int(c->statuses, mpi_abi.at_source);

    if (c->result || is_nobody(from))
        return;
    r.posted = c->since;
    r.comm = comm ? comm->id : 0;
    r.peer = mpi_comm_peer(comm, source);
    r.tag = mpi_tag(mpi_status_int(c->statuses, mpi_abi.at_tag));
    r.received = mpi_status_bytes(c->statuses);
    r.posted_node = c->node;
    mpi_put_done(c, &r);
}

/*
 * Complete the record of a call that both sends and receives by one request: the
 * request's outcome is the message that is received.
 */
static void
conclude_received(struct mpi_call *c, struct mpi_comm *comm, int from, int tag)
{
    struct rec_mpi sent = c->r;

    if (is_nobody(from)) {
        mpi_request_begun(c, comm, c->row->at, OUTCOME_NONE);
        return;
    }
    set_peer(c, comm, from, tag);
    mpi_request_begun(c, comm, c->row->at, OUTCOME_MESSAGE);
    c->r.peer = sent.peer;
    c->r.tag = sent.tag;
}

/*
 * Parameters: (buf, count, type, dest, tag, buf, count, type, source, tag, comm, status
 * or request)
 */
static void
sendrecv(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[10]));

    set_peer(c, comm, mpi_int(c, 3), mpi_int(c, 4));
    if (!c->result && !is_nobody(mpi_int(c, 3)))
        c->r.sent = mpi_bytes(c, 1);
    if (c->row->mode == MPI_MODE_BLOCK)
        put_received(c, comm, mpi_int(c, 8));
    else
        conclude_received(c, comm, mpi_int(c, 8), mpi_int(c, 9));
}

RECIPE(sendrecv, before_recv, sendrecv);

/* Parameters: (buf, count, type, dest, tag, source, tag, comm, status/request) */
static void
exchange(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[7]));

    set_peer(c, comm, mpi_int(c, 3), mpi_int(c, 4));
    if (!c->result && !is_nobody(mpi_int(c, 3)))
        c->r.sent = mpi_bytes(c, 1);
    if (c->row->mode == MPI_MODE_BLOCK)
        put_received(c, comm, mpi_int(c, 5));
    else
        conclude_received(c, comm, mpi_int(c, 5), mpi_int(c, 6));
}

RECIPE(exchange, before_recv, exchange);

/* Parameters: (source, tag, comm, ..., status): record the message, if there is one. */
static void
probed(struct mpi_call *c, int is_there)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[2]));

    if (c->result || !is_there || is_nobody(mpi_int(c, 0)))
        set_peer(c, comm, mpi_int(c, 0), mpi_int(c, 1));
    else
        read_status(c, comm);
}

static void
before_probe(struct mpi_call *c)
{
    mpi_want_status(c, 3);
}

static void
before_4(struct mpi_call *c)
{
    mpi_want_status(c, 4);
}

static void
before_5(struct mpi_call *c)
{
    mpi_want_status(c, 5);
}

static void
probe(struct mpi_call *c)
{
    probed(c, 1);
}

static int
flag_at(const struct mpi_call *c, u32 at)
{
    return !c->result && *(const int *)mpi_pointer(c, at);
}

static void
iprobe(struct mpi_call *c)
{
    c->idle = !c->result && !flag_at(c, 3);
    probed(c, flag_at(c, 3));
}

RECIPE(probe, before_probe, probe);
RECIPE(iprobe, before_4, iprobe);

/* Keep a message from MPI_Mprobe() like a request, until MPI_Mrecv() receives it. */
static void
keep_message(struct mpi_call *c, u32 at)
{
    struct mpi_request q = {
        .handle = mpi_handle_at(mpi_pointer(c, at)),
        .posted = c->since,
        .comm = mpi_comm_of(c, mpi_handle(c->a[2])),
        .call = MPICALL_Mrecv,
        .kind = MPIKIND_Mrecv,
        .node = c->node,
        .peer = c->r.peer,
        .tag = c->r.tag,
        .active = 1,
    };

    if (!is_nobody(mpi_int(c, 0)))
        mpi_request_add(&q);
}

static void
mprobe(struct mpi_call *c)
{
    probed(c, 1);
    if (!c->result)
        keep_message(c, 3);
}

static void
improbe(struct mpi_call *c)
{
    int is_there = flag_at(c, 3);

    c->idle = !c->result && !is_there;
    probed(c, is_there);
    if (is_there)
        keep_message(c, 4);
}

RECIPE(mprobe, before_4, mprobe);
RECIPE(improbe, before_5, improbe);

/* Parameters: (buf, count, type, message, status/request) */
static void
before_mrecv(struct mpi_call *c)
{
    mpi_call_lock(c);
    c->saved[0].request = mpi_request_claim(mpi_handle_at(mpi_pointer(c, 3)));
    mpi_call_unlock(c);
    before_recv(c);
}

/*
 * Receive a message that MPI_Mprobe() has found: it was matched then, so its receive
 * counts as posted at that time.
 */
static void
mrecv(struct mpi_call *c)
{
    struct mpi_request *message = c->saved[0].request, q;

    if (!message || c->result) {
        mpi_request_unclaim(message);
        return;
    }
    q = *message;
    q.claimed = 0;
    mpi_comms_hold(q.comm);
    mpi_request_remove(message);
    c->r.comm = q.comm ? q.comm->id : 0;
    c->r.peer = q.peer;
    c->r.tag = q.tag;
    if (c->row->mode == MPI_MODE_BLOCK) {
        struct rec_done r = { .posted = q.posted, .call = c->row->call,
                              .kind = c->row->kind,
                              .comm = c->r.comm, .peer = q.peer, .tag = q.tag,
                              .received = mpi_status_bytes(c->statuses),
                              .posted_node = q.node };

        mpi_put_done(c, &r);
    } else {
        q.call = c->row->call;
        q.outcome = OUTCOME_MESSAGE;
        q.handle = mpi_handle_at(mpi_pointer(c, 4));
        mpi_request_add(&q);
    }
    mpi_comms_drop(q.comm);
}

RECIPE(mrecv, before_mrecv, mrecv);
