/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's own memory for MPI tracing: where its record `open` is, its runs of polls,
 * and room for arrays of one call. It is in a mapping of our own; when the thread ends,
 * the runs are recorded, and the mapping is released. Normal context of that thread,
 * within mpi_trace_enter() and mpi_trace_leave().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_SCRATCH_H
#define ERTOOLS_COLLECTOR_MPI_MPI_SCRATCH_H

#include "collector/mpi/mpi_polls.h"
#include "share/chunk.h"
#include "share/types.h"

struct mpi_call;

/* Where a thread's record `open` is, see mpi_open.h. */
struct mpi_open_place {
    const struct er_chunk *chunk; /* NULL = there is none yet */
    u32 seq;                      /* the chunk's number, as its memory may be reused */
    unsigned char *fields;
};

/*
 * Memory of this size. It belongs to the thread, and is valid until the thread calls
 * this function again. NULL = there is no memory.
 */
void *mpi_scratch_get(struct mpi_call *c, u64 bytes);

/*
 * The thread's struct that says where its record `open` is; make: 1 = make the struct
 * if the thread has none. NULL = there is none, or no memory.
 */
struct mpi_open_place *mpi_scratch_open_place(struct mpi_call *c, int make);

/* The thread's runs of polls; NULL and `make` as in mpi_scratch_open_place(). */
struct mpi_polls *mpi_scratch_polls(struct mpi_call *c, int make);

#endif
