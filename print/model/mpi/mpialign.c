/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpialign.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "print/model/mpi/mpigather.h"
#include "print/model/mpi/mpimatch.h"

/*
 * fit[low * hosts + high]: by how much the clock of host `high` is ahead of the clock
 * of host `low`.
 */
struct aligning {
    const struct ranks *ranks;
    const struct mpi_clocks *clocks;
    struct clockfit **fit; /* NULL = the two hosts have exchanged no messages */
    bool no_memory;
};

static struct clockfit *
fit_of(struct aligning *a, u32 low, u32 high)
{
    struct clockfit **fit = &a->fit[low * a->ranks->hosts + high];

    if (!*fit) {
        *fit = malloc(sizeof(**fit));
        if (!*fit)
            a->no_memory = true;
        else
            clockfit_open(*fit, 0, (double)((u64)a->clocks->to - (u64)a->clocks->from));
    }
    return *fit;
}

/*
 * A wait begins or ends at `moment`, so the offset between the clocks is needed there.
 */
static void
cover(struct aligning *a, struct clockfit *fit, int64_t moment)
{
    clockfit_covers(fit, (double)(int64_t)((u64)moment - (u64)a->clocks->from));
}

/*
 * A message left the rank `sender` not before `left`, and reached `receiver` not after
 * `came`, each by its host's clock. So the receiver's clock is ahead by at most came -
 * left: add this bound to the fit of the two hosts. Returns the fit; NULL: the ranks
 * are on the same host, or there is no memory.
 */
static struct clockfit *
passage(struct aligning *a, u32 sender, int64_t left, u32 receiver, int64_t came)
{
    u32 from = a->ranks->rank[sender].host, to = a->ranks->rank[receiver].host;
    bool up = from < to;
    struct clockfit *fit;
    double at, difference = (double)(int64_t)((u64)came - (u64)left);

    if (from == to)
        return NULL;
    fit = fit_of(a, up ? from : to, up ? to : from);
    if (!fit)
        return NULL;
    at = (double)(int64_t)((u64)(up ? left : came) - (u64)a->clocks->from);
    if (up)
        clockfit_above(fit, at, difference);
    else
        clockfit_below(fit, at, -difference);
    cover(a, fit, left);
    cover(a, fit, came);
    return fit;
}

static void
on_message(void *context, const struct mpi_message *m)
{
    struct aligning *a = context;
    const struct mpi_span *span = m->receive.span;
    struct clockfit *fit =
        passage(a, m->send.rank, m->send.begin, m->receive.rank, span->end);

    if (fit)
        cover(a, fit, span->begin);
}

/*
 * Does every rank stay in the call until all ranks have entered? (MPI_Alltoall does not
 * guarantee that, for instance, since a rank's count may be 0.)
 */
static bool
joins_all(const struct mpi_collective *k)
{
    if (k->inter)
        return false;
    if (k->kind == MPI_KIND_BARRIER)
        return true;
    switch (k->call) {
    case MPICALL_Allreduce:
    case MPICALL_Allgather:
    case MPICALL_Alltoall:
    case MPICALL_Reduce_scatter_block:
        return k->entry->gives;
    default:
        return false;
    }
}

static void
join_all(struct aligning *a, const struct mpi_collective *k)
{
    const struct mpi_entry *last = k->entry;

    for (u32 i = 1; i < k->count; i++)
        if (k->entry[i].begin > last->begin)
            last = &k->entry[i];
    for (u32 i = 0; i < k->count; i++) {
        const struct mpi_entry *other = &k->entry[i];

        passage(a, last->rank, last->begin, other->rank, other->end);
        passage(a, other->rank, other->begin, last->rank, last->end);
    }
}

static void
on_collective(void *context, const struct mpi_collective *k)
{
    const struct mpi_entry *root = mpigather_root(k);
    struct aligning *a = context;

    if (joins_all(k))
        join_all(a, k);
    for (u32 i = 0; root && i < k->count; i++) {
        const struct mpi_entry *other = &k->entry[i];

        if (k->kind == MPI_KIND_FROM_ONE && other->gets)
            passage(a, root->rank, root->begin, other->rank, other->end);
        if (k->kind == MPI_KIND_TO_ONE && other->gives)
            passage(a, other->rank, other->begin, root->rank, root->end);
    }
}

/*
 * Get by how many ns the clock of host `to` is ahead of the clock of host `from`, at
 * the moment `at` of the latter.
 */
static double
offset_at(const struct aligning *a, u32 from, u32 to, double at)
{
    bool up = from < to;
    const struct clockfit *fit =
        a->fit[(up ? from : to) * a->ranks->hosts + (up ? to : from)];

    if (up) /* `at` is of the lower host, as clockfit_at() needs it */
        return clockfit_at(fit, at);
    /*
     * `at` is on the higher host's clock, but clockfit_at() needs the lower host's. The
     * offset changes so slowly that the one at `at` may be used to convert `at`.
     */
    return -clockfit_at(fit, at - clockfit_at(fit, at));
}

/*
 * Compute a host's correction for each slot, from the known correction of the host
 * `by`.
 */
static int
settle_host(const struct aligning *a, struct mpi_clocks *c, u32 host, u32 by)
{
    struct mpi_clock *h = &c->host[host];
    const struct mpi_clock *known = &c->host[by];
    double length = (double)((u64)c->to - (u64)c->from);

    h->ahead = calloc(CLOCKFIT_SLOTS + 1, sizeof(*h->ahead));
    if (!h->ahead)
        return -ENOMEM;
    for (u32 i = 0; i <= CLOCKFIT_SLOTS; i++) {
        double at = length * i / CLOCKFIT_SLOTS;
        double there = at + offset_at(a, host, by, at); /* `by`'s clock at that time */

        h->ahead[i] = at - there;
        if (known->ahead)
            h->ahead[i] += mpiclocks_ahead(c, known, there);
    }
    return 0;
}

/*
 * Compute the corrections of all hosts: begin with the hosts whose clocks are known.
 * Each time, take the host that is connected to a known one with the least error.
 */
static int
settle(const struct aligning *a, struct mpi_clocks *c)
{
    for (;;) {
        double least = INFINITY;
        u32 host = 0, by = 0;

        for (u32 i = 0; i < c->hosts * c->hosts; i++) {
            u32 low = i / c->hosts, high = i % c->hosts;
            double error;

            if (!a->fit[i] || !a->fit[i]->pieces ||
                c->host[low].known == c->host[high].known)
                continue;
            error = a->fit[i]->error +
                    (c->host[low].known ? c->host[low].error : c->host[high].error);
            if (error >= least)
                continue;
            least = error;
            host = c->host[low].known ? high : low;
            by = c->host[low].known ? low : high;
        }
        if (least == INFINITY)
            return 0;
        if (settle_host(a, c, host, by) < 0)
            return -ENOMEM;
        c->host[host].known = true;
        c->host[host].error = least;
    }
}

int
mpialign_clocks(struct session *session, const struct ranks *ranks,
                struct mpi_clocks *c)
{
    struct aligning a = { ranks, c, NULL, false };
    const struct mpi_match_sink sink = { .message = on_message,
                                         .collective = on_collective, .context = &a };
    int ret;

    if (ranks->hosts < 2)
        return 0;
    a.fit = calloc((size_t)ranks->hosts * ranks->hosts, sizeof(*a.fit));
    if (!a.fit)
        return -ENOMEM;
    ret = mpimatch_run(session, ranks, c, &sink, NULL);
    if (a.no_memory)
        ret = -ENOMEM;
    for (u32 i = 0; i < ranks->hosts * ranks->hosts && ret == 0; i++)
        if (a.fit[i])
            clockfit_solve(a.fit[i]);
    if (ret == 0)
        ret = settle(&a, c);
    c->aligned = ret == 0;
    for (u32 i = 0; i < ranks->hosts * ranks->hosts; i++)
        free(a.fit[i]);
    free(a.fit);
    return ret;
}
