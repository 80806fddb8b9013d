/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Initialization and the end of MPI, making and freeing of communicators, and other
 * calls.
 */
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_request.h"
#include "collector/mpi/mpi_trace.h"
#include "share/fmt.h"

static void
plain(struct mpi_call *c)
{
    (void)c;
}

RECIPE(plain, NULL, plain);

static void
before_init(struct mpi_call *c)
{
    (void)c;
    mpi_world_log_begin();
}

static void
init(struct mpi_call *c)
{
    if (!c->result)
        mpi_comm_start(c);
}

RECIPE(init, before_init, init);

/* Parameters: (info, errhandler, session) */
static void
session_init(struct mpi_call *c)
{
    if (!c->result)
        mpi_comm_start_session(c, mpi_handle_at(mpi_pointer(c, 2)));
}

RECIPE(session_init, before_init, session_init);

/* Parameters: (session): release our group of the session first. */
static void
before_session_end(struct mpi_call *c)
{
    mpi_comm_end_session(c, mpi_handle_at(mpi_pointer(c, 0)));
}

RECIPE(session_end, before_session_end, plain);

static void
finalize(struct mpi_call *c)
{
    if (c->result)
        return;
    trace_services->event(EVENT_mpi_finalize, NULL, NULL, NULL, 0);
    mpi_comm_forget_all();
    mpi_request_forget_all();
}

RECIPE(finalize, NULL, finalize);

/* Parameters: (comm, code): the call does not return. */
static void
before_abort(struct mpi_call *c)
{
    char code[16];
    struct fmt f = fmt_start(code, sizeof(code) - 1);

    fmt_i64(&f, mpi_int(c, 1));
    *f.at = 0;
    mpi_trace_leave_early(c);
    trace_services->event(EVENT_mpi_abort, code, NULL, NULL, 0);
}

RECIPE(abort, before_abort, plain);

/* Calls that query a communicator. */
static void
on_comm(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comms_find(mpi_handle(c->a[c->row->at]));

    c->r.comm = comm ? comm->id : 0;
}

RECIPE(on_comm, NULL, on_comm);

static u64
made_at(const struct mpi_call *c, u32 at)
{
    return c->result ? mpi_abi.comm_null : mpi_handle_at(mpi_pointer(c, at));
}

/* Parameters: (comm, ..., new): all members of comm call it. */
static void
comm_make(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[0]));

    mpi_comm_collective(c, comm);
    mpi_comm_made(c, made_at(c, c->row->at), comm);
}

RECIPE(comm_make, NULL, comm_make);

/*
 * Parameters: (..., comm, new, ...): all members of comm call it, and get an
 * intercommunicator with ranks of another world.
 */
static void
comm_join(struct mpi_call *c)
{
    mpi_comm_collective(c, mpi_comm_of(c, mpi_handle(c->a[c->row->at])));
    mpi_comm_made(c, made_at(c, c->row->at + 1u), NULL);
}

RECIPE(comm_join, NULL, comm_join);

/* Parameters: (group, text, info, errhandler, new) */
static void
comm_from_group(struct mpi_call *c)
{
    struct mpi_comm *comm =
        mpi_comm_made_of_group(c, made_at(c, 4), mpi_pointer(c, 1));

    c->r.comm = comm ? comm->id : 0;
}

RECIPE(comm_from_group, NULL, comm_from_group);

/* Like comm_make(), but only the members of the new communicator call it. */
static void
comm_make_some(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[0]));

    c->r.comm = comm ? comm->id : 0;
    mpi_comm_made(c, made_at(c, c->row->at), comm);
}

RECIPE(comm_make_some, NULL, comm_make_some);
RECIPE(comm_make_two, NULL, comm_make);

/*
 * Parameters: (comm, ..., new, request): the new communicator's key is computed now,
 * since all members make such calls in the same order.
 */
static void
comm_idup(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[0]));
    struct mpi_request q = {
        .posted = c->since,
        .comm = comm,
        .call = c->row->call,
        .kind = c->row->kind,
        .node = c->node,
        .outcome = OUTCOME_MADE,
        .made = mpi_pointer(c, c->row->at - 1u),
        .active = 1,
    };

    mpi_comm_collective(c, comm);
    if (c->result || !comm)
        return;
    q.key = mpi_comms_next_key(comm, comm->members + 1);
    q.handle = mpi_handle_at(mpi_pointer(c, c->row->at));
    mpi_request_add(&q);
}

RECIPE(comm_idup, NULL, comm_idup);

static void
before_free(struct mpi_call *c)
{
    c->handle = mpi_handle_at(mpi_pointer(c, 0));
}

static void
comm_free(struct mpi_call *c)
{
    mpi_comm_collective(c, mpi_comms_find(c->handle));
    if (!c->result)
        mpi_comms_gone(c->handle);
}

RECIPE(comm_free, before_free, comm_free);

/* Parameters: (communicator or window, name) */
static void
set_name(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comms_find(mpi_handle(c->a[0]));
    const char *name = mpi_pointer(c, 1);

    if (!comm || c->result || !name)
        return;
    c->r.comm = comm->id;
    mpi_comm_name(c, comm, name);
}

RECIPE(set_name, NULL, set_name);
