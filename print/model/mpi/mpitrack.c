/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpitrack.h"

#include "print/base/array.h"

enum {
    COVER = 8,  /* samples stand for a time if they cover at least 1/COVER of it */
    LONG = 4,   /* sample periods: a longer time has samples of its own */
};

/* A stretch of a rank's time that is being divided among call paths and waits. */
struct spreading {
    const struct mpi_tracks *tracks;
    const struct mpi_track *track;
    const struct mpi_spread *use;
};

static bool
ends_by(const void *call, const void *moment)
{
    return ((const struct mpi_track_call *)call)->end <= *(const int64_t *)moment;
}

u32
mpitrack_at(const struct mpi_track *t, int64_t moment)
{
    return array_first(t->call, t->calls, sizeof(*t->call), ends_by, &moment);
}

static void
add_time(const struct spreading *t, u32 path, double ns)
{
    if (ns > 0)
        t->use->time(t->use->context, path, ns);
}

static bool
is_by(const void *sample, const void *moment)
{
    return ((const struct mpi_track_sample *)sample)->time <= *(const int64_t *)moment;
}

/* The first sample after a moment. */
static u32
sample_after(const struct mpi_track *t, int64_t moment)
{
    return array_first(t->sample, t->samples, sizeof(*t->sample), is_by, &moment);
}

/* Divide time between two calls. */
static void
spread_between(const struct spreading *t, const struct mpi_track_kind *kind,
               int64_t from, int64_t to)
{
    const struct mpi_track *track = t->track;
    double length = (double)(to - from), weight = 0, scale = 1;
    u32 first = sample_after(track, from), end = first;

    while (end < track->samples && track->sample[end].time <= to)
        weight += (double)track->sample[end++].weight;
    if (weight * COVER < length && length < LONG * track->period &&
        kind->sampled * COVER >= kind->length && kind->sampled > 0) {
        for (u32 i = kind->first; i < kind->first + kind->parts; i++)
            add_time(t, track->part[i].path,
                     length * track->part[i].weight / kind->sampled);
        return;
    }
    if (weight * COVER >= length && weight > 0)
        scale = length / weight;
    for (u32 i = first; i < end; i++)
        add_time(t, track->sample[i].path, (double)track->sample[i].weight * scale);
    add_time(t, kind->common, length - weight * scale);
}

/* Divide time within a call: into its wait, if it has one, and the rest. */
static void
spread_call(const struct spreading *t, const struct mpi_track_call *call, int64_t from,
            int64_t to)
{
    double waited = 0;

    if (call->pause) {
        const struct mpi_pause *p = &t->tracks->pause[call->pause - 1];
        int64_t begin = p->begin > from ? p->begin : from;
        int64_t end = p->end < to ? p->end : to;

        waited = end > begin ? (double)(end - begin) : 0;
    }
    if (waited > 0)
        t->use->waited(t->use->context, call->pause - 1, waited);
    add_time(t, t->track->kind[call->kind].path, (double)(to - from) - waited);
}

static int64_t
earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void
mpitrack_spread(const struct mpi_tracks *tracks, u32 rank, int64_t from, int64_t to,
                 const struct mpi_spread *use)
{
    const struct mpi_track *track = &tracks->track[rank];
    const struct spreading t = { tracks, track, use };

    if (from < track->start) {
        add_time(&t, tracks->startup, (double)(earlier(to, track->start) - from));
        from = track->start;
    }
    for (u32 i = mpitrack_at(track, from); i < track->calls && from < to; i++) {
        const struct mpi_track_call *call = &track->call[i];
        int64_t begin = earlier(to, call->begin), end = earlier(to, call->end);

        if (begin > from) {
            spread_between(&t, &track->kind[call->kind], from, begin);
            from = begin;
        }
        if (end > from) {
            spread_call(&t, call, from, end);
            from = end;
        }
    }
}
