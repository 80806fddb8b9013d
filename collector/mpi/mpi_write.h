/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a record gets into the file mpitrace. Runs of polls must have been recorded
 * before, so only mpi_put.c, which does that, and mpi_polls.c use this. Normal context,
 * between trace_enter(&c->s) and trace_leave(). Times are in the file's unit: ticks
 * without their lowest bits.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_WRITE_H
#define ERTOOLS_COLLECTOR_MPI_MPI_WRITE_H

#include "collector/mpi/mpi_call.h"

static inline u64
mpi_write_time(u64 ticks)
{
    return ticks >> SHIFT_mpitrace;
}

/*
 * Copy the numbers of events into the thread's row of the file threads, so that they
 * are known even if the process is killed.
 */
static inline void
mpi_write_counts(struct mpi_call *c)
{
    const struct trace *trace = &c->t->trace[TRACE_mpi];

    if (ER_LIKELY(c->t->row != NULL)) {
        c->t->row->mpi_seen = trace_seen(trace);
        c->t->row->mpi_dropped = trace->dropped;
    }
}

/* Write the record *r, a struct rec_NAME, whose time is set, at c->ticks. */
#define MPI_WRITE(c, name, r)                                                     \
    do {                                                                          \
        struct trace *trace_ = &(c)->t->trace[TRACE_mpi];                         \
        struct chunk_writer *w_ =                                                 \
            trace_open(&(c)->s, trace_, FILE_mpitrace, (c)->ticks);               \
                                                                                  \
        if (ER_LIKELY(w_ != NULL))                                                \
            trace_close(&(c)->s, trace_, w_,                                      \
                        rec_put_##name(&w_->codec, trace_at(w_), (r)));           \
        mpi_write_counts(c);                                                      \
    } while (0)

#endif
