/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_open.h"

#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_put.h"
#include "collector/mpi/mpi_request.h"
#include "collector/mpi/mpi_scratch.h"

/* The fields after the record's time; the layout of records.def. */
struct fields {
    u64 since;
    u32 call, node, comm, to, from, tag, seq;
} __attribute__((packed));

/* The open record's place in the thread's present chunk; NULL = it has none. */
static struct fields *
place_of(struct mpi_call *c)
{
    const struct mpi_open_place *place = mpi_scratch_open_place(c, 0);
    const struct er_chunk *chunk = c->t->trace[TRACE_mpi].main.chunk;

    if (!place || !chunk || place->chunk != chunk || place->seq != chunk->chunk_seq)
        return NULL;
    return (void *)place->fields;
}

static struct fields *
make_place(struct mpi_call *c)
{
    struct mpi_open_place *place = mpi_scratch_open_place(c, 1);
    unsigned char *end;

    if (!place)
        return NULL;
    end = mpi_put_open(c);
    if (!end)
        return NULL;
    place->chunk = c->t->trace[TRACE_mpi].main.chunk;
    place->seq = place->chunk->chunk_seq;
    place->fields = end - sizeof(struct fields);
    return (void *)place->fields;
}

static void
set_message(struct fields *f, const struct mpi_comm *comm, int to, int from, int tag)
{
    f->to = mpi_comm_peer(comm, to);
    f->from = mpi_comm_peer(comm, from);
    f->tag = mpi_tag(tag);
}

/*
 * Write the communicator of a blocking collective, which is the last parameter, and the
 * root, if the parameter before it is one.
 */
static void
set_collective(struct mpi_call *c, struct fields *f)
{
    u32 last = c->row->count - 1u;
    const struct mpi_comm *comm = mpi_comms_find(mpi_handle(c->a[last]));

    if (!comm)
        return;
    f->comm = comm->id;
    f->seq = comm->seq + 1;
    if (c->row->kind == MPI_KIND_FROM_ONE || c->row->kind == MPI_KIND_TO_ONE)
        f->to = mpi_comm_peer(comm, mpi_int(c, last - 1));
}

/* Write the communicator, which is the parameter `at`. Returns its entry or NULL. */
static const struct mpi_comm *
set_comm(struct mpi_call *c, struct fields *f, u32 at)
{
    const struct mpi_comm *comm = mpi_comms_find(mpi_handle(c->a[at]));

    f->comm = comm ? comm->id : 0;
    return comm;
}

static void
set_sendrecv(struct mpi_call *c, struct fields *f)
{
    u32 replace = c->row->count == 9, at = replace ? 7 : 10;

    set_message(f, set_comm(c, f, at), mpi_int(c, 3), mpi_int(c, replace ? 5 : 8),
                mpi_int(c, replace ? 6 : 9));
}

/*
 * Write the first receive among the requests for which the call waits, or else the
 * first active request.
 */
static void
set_wait(const struct mpi_call *c, struct fields *f)
{
    const struct mpi_request *first = NULL;

    for (u64 i = 0; c->claims && i < c->requests; i++) {
        const struct mpi_request *q = c->kept[i].request;

        if (!q || !q->active || (first && q->kind != MPI_KIND_RECV))
            continue;
        first = q;
        if (q->kind == MPI_KIND_RECV)
            break;
    }
    if (!first)
        return;
    f->comm = first->comm ? first->comm->id : 0;
    if (first->kind == MPI_KIND_RECV)
        f->from = first->peer;
    else
        f->to = first->peer;
    f->tag = first->tag;
}

/* Write the call's parameters, which are in the same places for all calls of a kind. */
static void
set_fields(struct mpi_call *c, struct fields *f)
{
    switch (c->row->kind) {
    case MPI_KIND_SEND:
        if (c->row->count <= 7)
            set_message(f, set_comm(c, f, 5), mpi_int(c, 3), -1, mpi_int(c, 4));
        break;
    case MPI_KIND_RECV:
        if (c->row->count == 7)
            set_message(f, set_comm(c, f, 5), -1, mpi_int(c, 3), mpi_int(c, 4));
        break;
    case MPI_KIND_SENDRECV:
        set_sendrecv(c, f);
        break;
    case MPI_KIND_PROBE:
        set_message(f, set_comm(c, f, 2), -1, mpi_int(c, 0), mpi_int(c, 1));
        break;
    case MPI_KIND_WAIT:
        set_wait(c, f);
        break;
    case MPI_KIND_COMM:
        if (c->row->recipe == &mpi_recipe_comm_make) {
            const struct mpi_comm *comm = set_comm(c, f, 0);

            f->seq = comm ? comm->seq + 1 : 0;
        }
        break;
    case MPI_KIND_BARRIER:
    case MPI_KIND_TO_ALL:
    case MPI_KIND_FROM_ONE:
    case MPI_KIND_TO_ONE:
    case MPI_KIND_PREFIX:
    case MPI_KIND_NEIGHBOR:
        if (c->row->mode == MPI_MODE_BLOCK)
            set_collective(c, f);
        break;
    default:
        break;
    }
}

void
mpi_open_begin(struct mpi_call *c)
{
    struct fields *f = place_of(c);
    struct fields now = { .call = c->row->call, .node = c->node };
    u64 since;

    c->opened = 0;
    if (ER_UNLIKELY(!f)) {
        c->ticks = trace_before();
        f = make_place(c);
        if (!f)
            return;
    }
    mpi_call_lock(c);
    set_fields(c, &now);
    mpi_call_unlock(c);
    /* `since` is set last, so that a reader finds either no call or a complete one. */
    now.since = 0;
    c->since = trace_before();
    since = c->since >> SHIFT_mpitrace;
    *f = now;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __builtin_memcpy(&f->since, &since, sizeof(since));
    c->opened = 1;
}

void
mpi_open_end(struct mpi_call *c)
{
    struct fields *f = c->opened ? place_of(c) : NULL;
    u64 none = 0;

    if (f)
        __builtin_memcpy(&f->since, &none, sizeof(none));
}
