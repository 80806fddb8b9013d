/* SPDX-License-Identifier: Apache-2.0 */
/* One-sided communication, and its synchronization. */
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_group.h"
#include "collector/mpi/mpi_request.h"

static struct mpi_comm *
on_window(struct mpi_call *c, u32 at, int target)
{
    struct mpi_comm *window = mpi_comms_find(mpi_handle(c->a[at]));

    c->r.comm = window ? window->id : 0;
    c->r.peer = mpi_comm_peer(window, target);
    return window;
}

/*
 * Record the bytes sent to the target and received from it. If there is a request, it
 * is the parameter after the window.
 */
static void
move(struct mpi_call *c, u32 window_at, int target, u64 sent, u64 received)
{
    struct mpi_comm *window = on_window(c, window_at, target);

    if (!c->result && target != mpi_abi.proc_null) {
        c->r.sent = sent;
        c->r.received = received;
    }
    if (c->row->mode == MPI_MODE_BEGIN) {
        c->r.received = 0;
        mpi_request_begun(c, window, window_at + 1, OUTCOME_NONE);
        c->r.received = c->result || target == mpi_abi.proc_null ? 0 : received;
    }
}

/* Parameters: (buf, count, type, target, displacement, count, type, [op,] window) */
static void
put(struct mpi_call *c)
{
    move(c, c->row->at, mpi_int(c, 3), mpi_bytes(c, 1), 0);
}

RECIPE(put, NULL, put);

static void
get(struct mpi_call *c)
{
    move(c, c->row->at, mpi_int(c, 3), 0, mpi_bytes(c, 1));
}

RECIPE(get, NULL, get);

static int
is_no_op(const struct mpi_call *c, u32 at)
{
    return mpi_handle(c->a[at]) == mpi_abi.no_op;
}

/*
 * Parameters: (buf, count, type, buf, count, type, target, disp., count, type, op,
 * window)
 */
static void
get_accumulate(struct mpi_call *c)
{
    move(c, 11, mpi_int(c, 6), is_no_op(c, 10) ? 0 : mpi_bytes(c, 1), mpi_bytes(c, 4));
}

RECIPE(get_accumulate, NULL, get_accumulate);

/* Parameters: (buf, result, type, target, displacement, op, window) */
static void
fetch_and_op(struct mpi_call *c)
{
    u64 bytes = mpi_type_bytes(c->a[2]);

    move(c, 6, mpi_int(c, 3), is_no_op(c, 5) ? 0 : bytes, bytes);
}

RECIPE(fetch_and_op, NULL, fetch_and_op);

/* Parameters: (buf, compare, result, type, target, displacement, window) */
static void
compare_and_swap(struct mpi_call *c)
{
    u64 bytes = mpi_type_bytes(c->a[3]);

    move(c, 6, mpi_int(c, 4), bytes, bytes);
}

RECIPE(compare_and_swap, NULL, compare_and_swap);

/* Parameters: (assert, window) */
static void
win_fence(struct mpi_call *c)
{
    mpi_comm_collective(c, mpi_comms_find(mpi_handle(c->a[1])));
}

RECIPE(win_fence, NULL, win_fence);

static void
on_win(struct mpi_call *c)
{
    on_window(c, c->row->at, -1);
}

RECIPE(on_win, NULL, on_win);

/* Parameters: (group, assert, window) */
static void
win_group(struct mpi_call *c)
{
    mpi_group_of_window(c, on_window(c, c->row->at, -1), mpi_handle(c->a[0]));
}

RECIPE(win_group, NULL, win_group);

/* Parameters: (target, window) */
static void
win_rank(struct mpi_call *c)
{
    on_window(c, c->row->at, mpi_int(c, 0));
}

RECIPE(win_rank, NULL, win_rank);

/* Parameters: (type, target, assert, window) */
static void
win_lock(struct mpi_call *c)
{
    on_window(c, c->row->at, mpi_int(c, 1));
    if (mpi_int(c, 0) == mpi_abi.lock_exclusive)
        c->r.kind = MPI_KIND_RMA_ALONE;
}

RECIPE(win_lock, NULL, win_lock);

/* Parameters: (..., comm, [address,] window) */
static void
win_create(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[c->row->at]));

    mpi_comm_collective(c, comm);
    if (!c->result)
        mpi_comm_of_all(c, mpi_handle_at(mpi_pointer(c, c->row->count - 1u)),
                        COMM_WINDOW, comm, "");
}

RECIPE(win_create, NULL, win_create);

static void
before_free(struct mpi_call *c)
{
    c->handle = mpi_handle_at(mpi_pointer(c, 0));
}

static void
win_free(struct mpi_call *c)
{
    mpi_comm_collective(c, mpi_comms_find(c->handle));
    if (!c->result)
        mpi_comms_gone(c->handle);
}

RECIPE(win_free, before_free, win_free);
