/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_polls.h"

#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_write.h"

enum {
    LONGEST = 3000000, /* ticks after which runs are recorded: 3 ms, or 1 ms by TSC */
};

static int
is_alike(const struct rec_mpi *a, const struct rec_mpi *b)
{
    return a->node == b->node && a->call == b->call && a->comm == b->comm &&
           a->peer == b->peer && a->tag == b->tag;
}

/*
 * Move the runs to the front, the earliest end first, since a thread's records are in
 * the order of time.
 */
static void
sort(struct mpi_polls *p)
{
    u32 sorted = 0;

    for (u32 i = 0; i < MPI_POLLS; i++) {
        struct mpi_run run = p->run[i];
        u32 at = sorted;

        if (!run.last)
            continue;
        for (; at && p->run[at - 1].last > run.last; at--)
            p->run[at] = p->run[at - 1];
        p->run[at] = run;
        sorted++;
    }
}

void
mpi_polls_flush(struct mpi_call *c, struct mpi_polls *p)
{
    u32 runs = p ? p->runs : 0;

    if (ER_LIKELY(!runs))
        return;
    sort(p);
    p->runs = 0; /* cleared first, since MPI_WRITE() may come here again */
    for (u32 i = 0; i < runs && p->pid == *trace_services->pid; i++) {
        struct rec_mpi *r = &p->run[i].r;

        r->time = mpi_write_time(p->run[i].last);
        r->took >>= SHIFT_mpitrace;
        MPI_WRITE(c, mpi, r);
    }
    for (u32 i = 0; i < MPI_POLLS; i++)
        p->run[i].last = 0;
}

/*
 * Find the run of polls that are like r, or else a free place. NULL = there is neither.
 */
static struct mpi_run *
find(struct mpi_polls *p, const struct rec_mpi *r)
{
    u32 hash = (r->node ^ r->call * 5 ^ r->peer * 11 ^ r->tag * 3) * 0x9e3779b9u;

    for (u32 i = 0; i < MPI_POLLS; i++) {
        struct mpi_run *run = &p->run[((hash >> 16) + i) % MPI_POLLS];

        if (!run->last || is_alike(&run->r, r))
            return run;
    }
    return NULL;
}

int
mpi_polls_add(struct mpi_call *c, struct mpi_polls *p)
{
    struct mpi_run *run;

    c->r.node = c->node;
    run = find(p, &c->r);
    if (!run || (p->runs && p->pid != *trace_services->pid)) {
        mpi_polls_flush(c, p);
        run = find(p, &c->r);
    }
    if (!p->runs) {
        p->pid = *trace_services->pid;
        p->first = c->ticks;
    }
    if (!run->last) {
        run->r = c->r;
        p->runs++;
    } else {
        run->r.again++;
    }
    run->r.took += trace_between(c->since, c->ticks);
    run->last = c->ticks;
    if (c->ticks - p->first > LONGEST)
        mpi_polls_flush(c, p);
    return 1;
}
