/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpitracks.h"

#include "print/load/array.h"

enum {
    COVER = 8,  /* samples stand for a time if they cover this part of it: 1/COVER */
    LONG = 4,   /* sample periods: a longer time has samples of its own */
};

/* A stretch of a rank's time that is being divided among call paths and waits. */
struct telling {
    const struct mpi_tracks *tracks;
    const struct mpi_track *track;
    const struct mpi_spread *use;
};

static void
tell(const struct telling *t, u32 path, double ns)
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

/* Between two calls. */
static void
tell_between(const struct telling *t, const struct mpi_track_kind *kind, int64_t from,
             int64_t to)
{
    const struct mpi_track *track = t->track;
    double length = (double)(to - from), weight = 0, scale = 1;
    u32 first = sample_after(track, from), end = first;

    while (end < track->samples && track->sample[end].time <= to)
        weight += (double)track->sample[end++].weight;
    if (weight * COVER < length && length < LONG * track->period &&
        kind->sampled * COVER >= kind->length && kind->sampled > 0) {
        for (u32 i = kind->first; i < kind->first + kind->parts; i++)
            tell(t, track->part[i].path,
                 length * track->part[i].weight / kind->sampled);
        return;
    }
    if (weight * COVER >= length && weight > 0)
        scale = length / weight;
    for (u32 i = first; i < end; i++)
        tell(t, track->sample[i].path, (double)track->sample[i].weight * scale);
    tell(t, kind->common, length - weight * scale);
}

/* Within a call. */
static void
tell_call(const struct telling *t, const struct mpi_track_call *call, int64_t from,
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
    tell(t, t->track->kind[call->kind].path, (double)(to - from) - waited);
}

static int64_t
earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void
mpitracks_spread(const struct mpi_tracks *tracks, u32 rank, int64_t from, int64_t to,
                 const struct mpi_spread *use)
{
    const struct mpi_track *track = &tracks->track[rank];
    const struct telling t = { tracks, track, use };

    if (from < track->start) {
        tell(&t, tracks->startup, (double)(earlier(to, track->start) - from));
        from = track->start;
    }
    for (u32 i = mpitracks_at(track, from); i < track->calls && from < to; i++) {
        const struct mpi_track_call *call = &track->call[i];
        int64_t begin = earlier(to, call->begin), end = earlier(to, call->end);

        if (begin > from) {
            tell_between(&t, &track->kind[call->kind], from, begin);
            from = begin;
        }
        if (end > from) {
            tell_call(&t, call, from, end);
            from = end;
        }
    }
}
