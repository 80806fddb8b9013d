/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_put.h"

#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_polls.h"
#include "collector/mpi/mpi_scratch.h"
#include "collector/mpi/mpi_write.h"
#include "collector/sig/guard.h"

enum {
    COMM_BYTES = ER_RECORD_MAX + ER_STR_MAX + TRACE_BYTES,
};

void
mpi_put_runs(struct mpi_call *c)
{
    mpi_polls_flush(c, mpi_scratch_polls(c, 0));
}

/* Count the call as a poll. 0 = it must be recorded by itself. */
static int
is_counted(struct mpi_call *c)
{
    struct mpi_polls *p = mpi_scratch_polls(c, 1);

    return p && mpi_polls_add(c, p);
}

void
mpi_put_call(struct mpi_call *c)
{
    if (!c->recorded || (c->idle && !c->r.error && is_counted(c)))
        return;
    mpi_put_runs(c);
    c->r.time = mpi_write_time(c->ticks);
    c->r.took = trace_between(mpi_write_time(c->since), c->r.time);
    c->r.node = c->node;
    MPI_WRITE(c, mpi, &c->r);
}

unsigned char *
mpi_put_open(struct mpi_call *c)
{
    struct trace *trace = &c->t->trace[TRACE_mpi];
    struct rec_open r = { .time = mpi_write_time(c->ticks) };
    struct chunk_writer *w;
    unsigned char *end;

    mpi_put_runs(c);
    w = trace_open(&c->s, trace, FILE_mpitrace, c->ticks);
    if (!w)
        return NULL;
    end = rec_put_open(&w->codec, trace_at(w), &r);
    trace_close(&c->s, trace, w, end);
    mpi_write_counts(c);
    return w == &trace->main ? end : NULL;
}

void
mpi_put_done(struct mpi_call *c, struct rec_done *r)
{
    u64 begun = mpi_write_time(r->posted);

    if (!c->recorded)
        return;
    mpi_put_runs(c);
    r->time = mpi_write_time(c->ticks);
    r->waited = trace_between(mpi_write_time(c->since), r->time);
    r->posted = trace_between(begun, r->time);
    r->node = c->node;
    MPI_WRITE(c, done, r);
}

void
mpi_put_start(struct mpi_call *c, struct rec_start *r)
{
    if (!c->recorded)
        return;
    mpi_put_runs(c);
    r->time = mpi_write_time(c->ticks);
    r->took = trace_between(mpi_write_time(c->since), r->time);
    r->node = c->node;
    MPI_WRITE(c, start, r);
}

/*
 * The record has strings. Signals are blocked, since a handler of the target could fork
 * while it is written: see trace_renew().
 */
void
mpi_put_comm(struct mpi_call *c, struct rec_comm *r)
{
    struct trace *trace = &c->t->trace[TRACE_mpi];
    struct chunk_writer *w;
    u64 mask;

    mpi_put_runs(c);
    r->time = mpi_write_time(c->ticks);
    mask = guard_enter();
    w = trace_open_for(&c->s, trace, FILE_mpitrace, c->ticks, COMM_BYTES);
    if (w)
        trace_close(&c->s, trace, w, rec_put_comm(&w->codec, trace_at(w), r));
    guard_leave(mask);
    mpi_write_counts(c);
}

void
mpi_put_partner(struct mpi_call *c, struct rec_partner *r)
{
    mpi_put_runs(c);
    r->time = mpi_write_time(c->ticks);
    MPI_WRITE(c, partner, r);
}
