/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the records of a call. Each function records the thread's runs of polls first,
 * since a thread's records are in the order of time. Normal context, within
 * mpi_trace_enter() and mpi_trace_leave(), and there between trace_enter(&c->s) and
 * trace_leave().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_PUT_H
#define ERTOOLS_COLLECTOR_MPI_MPI_PUT_H

#include "share/record.h"

struct mpi_call;

/* Record the thread's runs of polls: something else of the thread happens now. */
void mpi_put_runs(struct mpi_call *c);

/*
 * Record the call itself, by c->r; a poll that found nothing is only counted in a run,
 * if that can be. Does nothing while recording is paused.
 */
void mpi_put_call(struct mpi_call *c);

/*
 * Write a new record `open` at c->ticks. Returns its end in the thread's main chunk;
 * NULL = there is no room, or the record is in another chunk.
 */
unsigned char *mpi_put_open(struct mpi_call *c);

/*
 * Write other records of the call; *r lacks only what all have in common, such as the
 * time. comm and partner are written even while recording is paused, since later
 * records need them.
 */
void mpi_put_done(struct mpi_call *c, struct rec_done *r);
void mpi_put_start(struct mpi_call *c, struct rec_start *r);
void mpi_put_comm(struct mpi_call *c, struct rec_comm *r);
void mpi_put_partner(struct mpi_call *c, struct rec_partner *r);

#endif
