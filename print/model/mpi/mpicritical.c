/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpicritical.h"

#include <errno.h>

struct walking {
    const struct mpi_tracks *tracks;
    struct mpi_causes *charges;
    u32 rank;
    bool critical; /* sum up the critical path, not the whole run */
    double length;
};

static void
on_time(void *context, u32 path, double ns)
{
    struct walking *w = context;
    struct mpi_cause *cause = mpicauses_of(w->charges, w->rank, path);

    if (!cause)
        return;
    *(w->critical ? &cause->critical : &cause->all) += ns;
    w->length += ns;
}

static void
on_waited(void *context, u32 pause, double ns)
{
    (void)context;
    (void)pause;
    (void)ns;
}

/* The last wait of the rank that began before the moment; NULL = it had none. */
static const struct mpi_pause *
pause_before(const struct mpi_tracks *t, u32 rank, int64_t moment)
{
    const struct mpi_track *track = &t->track[rank];
    u32 lo = 0, hi = track->pauses;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (t->pause[track->pause[mid]].begin < moment)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &t->pause[track->pause[lo - 1]] : NULL;
}

static void
report_time(struct walking *w, int64_t from, int64_t to)
{
    const struct mpi_spread use = { on_time, on_waited, w };

    if (from < to)
        mpitrack_spread(w->tracks, w->rank, from, to, &use);
}

/*
 * Follow the critical path from the end of a rank back to `start`. Clocks may be so
 * wrong that ranks seem to wait for each other in a circle: then the path ignores that
 * wait, and stays on its rank.
 */
static void
walk_back(struct walking *w, int64_t moment, int64_t start, u32 ranks)
{
    u32 jumps = 0;

    while (moment > start) {
        const struct mpi_pause *p = pause_before(w->tracks, w->rank, moment);

        if (!p || p->begin < start) {
            report_time(w, start, moment);
            return;
        }
        if (p->end < moment) {
            report_time(w, p->end, moment);
            moment = p->end;
            jumps = 0;
        } else if (jumps++ > ranks) {
            moment = p->begin;
            continue;
        }
        w->rank = p->whom;
    }
}

static void
walk_world(struct walking *w, const struct rank_world *world)
{
    const struct mpi_track *track = w->tracks->track;
    int64_t start = INT64_MAX;

    w->rank = world->first;
    for (u32 i = world->first; i < world->first + world->count; i++) {
        if (track[i].end > track[w->rank].end)
            w->rank = i;
        start = track[i].start < start ? track[i].start : start;
    }
    if (world->count)
        walk_back(w, track[w->rank].end, start, world->count);
}

int
mpicritical_walk(const struct mpi_tracks *tracks, struct mpi_causes *charges,
                 double *length)
{
    struct walking w = { .tracks = tracks, .charges = charges };

    for (w.rank = 0; w.rank < tracks->ranks->count; w.rank++)
        report_time(&w, tracks->track[w.rank].start, tracks->track[w.rank].end);
    w.length = 0;
    w.critical = true;
    for (u32 i = 0; i < tracks->ranks->worlds; i++)
        walk_world(&w, &tracks->ranks->world[i]);
    *length = w.length;
    return charges->no_memory ? -ENOMEM : 0;
}
