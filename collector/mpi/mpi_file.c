/* SPDX-License-Identifier: Apache-2.0 */
/* Files. Their handles are pointers in all families of libraries. */
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_request.h"

/*
 * Begin the record of a call on the file with this handle. Returns its entry or NULL.
 */
static struct mpi_comm *
begin(struct mpi_call *c, u64 handle)
{
    struct mpi_comm *file = mpi_comms_find(handle);

    if (c->row->kind == MPI_KIND_FILE_ALL)
        mpi_comm_collective(c, file);
    else if (file)
        c->r.comm = file->id;
    return file;
}

/* The index of the last parameter: the status, or the request. */
static u32
last_of(const struct mpi_call *c)
{
    return c->row->count - 1u;
}

static void
want_status(struct mpi_call *c)
{
    if (c->row->mode == MPI_MODE_BLOCK)
        mpi_want_status(c, last_of(c));
}

static void
file_read(struct mpi_call *c)
{
    struct mpi_comm *file = begin(c, (u64)c->a[0]);

    if (c->row->mode == MPI_MODE_BEGIN)
        mpi_request_begun(c, file, last_of(c), OUTCOME_BYTES);
    else if (!c->result)
        c->r.received = mpi_status_bytes(c->statuses);
}

RECIPE(file_read, want_status, file_read);

static void
file_write(struct mpi_call *c)
{
    struct mpi_comm *file = begin(c, (u64)c->a[0]);

    if (c->row->mode == MPI_MODE_BLOCK) {
        c->r.sent = c->result ? 0 : mpi_status_bytes(c->statuses);
        return;
    }
    c->r.sent = c->result ? 0 : mpi_bytes(c, c->row->at + 1u);
    mpi_request_begun(c, file, last_of(c), OUTCOME_NONE);
}

RECIPE(file_write, want_status, file_write);

/*
 * Split calls: the call that begins has the data to be written, and the call that ends
 * has the status.
 */
static void
file_read_begin(struct mpi_call *c)
{
    begin(c, (u64)c->a[0]);
}

RECIPE(file_read_begin, NULL, file_read_begin);

static void
file_write_begin(struct mpi_call *c)
{
    begin(c, (u64)c->a[0]);
    c->r.sent = c->result ? 0 : mpi_bytes(c, c->row->at + 1u);
}

RECIPE(file_write_begin, NULL, file_write_begin);
RECIPE(file_write_end, NULL, file_read_begin);
RECIPE(file_read_end, want_status, file_read);
RECIPE(on_file, NULL, file_read_begin);
RECIPE(on_file_all, NULL, file_read_begin);

/* Parameters: (comm, name, mode, info, file) */
static void
file_open(struct mpi_call *c)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[0]));
    const char *name = mpi_pointer(c, 1);
    u64 handle;

    mpi_comm_collective(c, comm);
    if (c->result)
        return;
    memcpy(&handle, mpi_pointer(c, 4), sizeof(handle));
    mpi_comm_of_all(c, handle, COMM_FILE, comm, name ? name : "");
}

RECIPE(file_open, NULL, file_open);

/* Parameters: (file): the call sets it to MPI_FILE_NULL, so save the handle before. */
static void
before_close(struct mpi_call *c)
{
    memcpy(&c->handle, mpi_pointer(c, 0), sizeof(c->handle));
}

static void
file_close(struct mpi_call *c)
{
    begin(c, c->handle);
    if (!c->result)
        mpi_comms_gone(c->handle);
}

RECIPE(file_close, before_close, file_close);
