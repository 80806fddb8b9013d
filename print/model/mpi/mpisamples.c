/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpisamples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/pass/tracepass.h"

enum wish {
    WISH_CLOCK,
    WISH_OFF,
    WISHES,
};

enum field {
    FIELD_TIME,
    FIELD_NODE,
    FIELD_WEIGHT,
};

static const struct trace_wish wishes[WISHES] = {
    { "clock", { "time", "node", "weight" } },
    { "off", { "time", "node", "weight" } },
};

enum {
    OFF_STEP = 10000000, /* ns: time off the CPU becomes a sample for each such step, */
    OFF_STEPS = 1000,    /* but at most so many for one record */
};

/*
 * Samples of one worker. Until they are merged, a sample's path is a node id of the
 * experiment.
 */
struct list {
    struct mpi_track_sample *sample;
    u32 count, room;
    bool no_memory;
};

struct reading {
    const struct mpi_tracks *tracks;
    const struct experiment *experiment;
    const struct mpi_track *track;
    u32 host;
    u32 slot; /* of the track's thread: index in threads.row + 1 */
    struct list *list; /* TRACE_WORKERS of them */
};

/*
 * Was the rank between two calls of MPI at that moment? Samples in calls are not
 * needed.
 */
static bool
is_between(const struct mpi_track *t, int64_t time)
{
    u32 at = mpitrack_at(t, time - 1);

    return at < t->calls && t->call[at].begin >= time && time > t->start;
}

static void
add(struct reading *r, struct list *list, int64_t time, u32 node, double weight)
{
    if (!is_between(r->track, time))
        return;
    if (array_room(&list->sample, &list->room, list->count + 1,
                   sizeof(*list->sample)) < 0)
        list->no_memory = true;
    else
        list->sample[list->count++] =
            (struct mpi_track_sample){ time, node, (float)weight };
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct reading *r = context;
    u64 weight = trace_get(row, FIELD_WEIGHT), steps = 1, mono;
    u32 node = (u32)trace_get(row, FIELD_NODE);
    int64_t time;

    if (row->slot != r->slot || !weight)
        return;
    mono = r->experiment->origin_mono +
           tracescan_since(r->experiment, FILE_profile, trace_get(row, FIELD_TIME));
    time = mpiclocks_common(r->tracks->clocks, r->host, mono);
    if (row->wish == WISH_OFF)
        steps = weight / OFF_STEP + 1;
    if (steps > OFF_STEPS)
        steps = OFF_STEPS;
    for (u64 i = 0; i < steps; i++)
        add(r, &r->list[row->worker],
            time - (int64_t)((double)weight * (double)i / (double)steps), node,
            (double)weight / (double)steps);
}

static int
by_time(const void *a, const void *b)
{
    const struct mpi_track_sample *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/* Merge the workers' samples into one sorted list, with paths instead of nodes. */
static int
settle(struct session *session, struct mpi_tracks *t, struct mpi_track *track,
       u32 experiment, struct list *list)
{
    double sum = 0;
    u32 kept = 0;

    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        const struct list *more = &list[i];

        if (more->no_memory ||
            array_room(&track->sample, &track->sample_room,
                       track->samples + more->count + 1, sizeof(*track->sample)) < 0)
            return -ENOMEM;
        if (more->count)
            memcpy(track->sample + track->samples, more->sample,
                   more->count * sizeof(*more->sample));
        track->samples += more->count;
    }
    for (u32 i = 0; i < track->samples; i++) {
        struct mpi_track_sample s = track->sample[i];

        if (mpipaths_of(session, &t->paths, experiment, s.path, &s.path) < 0)
            return -ENOMEM;
        /*
         * This sample's stack is in an MPI call, though its time is between calls: a
         * wait may be recorded only when it is over.
         */
        if (s.path == PATH_MPI)
            continue;
        sum += (double)s.weight;
        track->sample[kept++] = s;
    }
    track->samples = kept;
    qsort(track->sample, track->samples, sizeof(*track->sample), by_time);
    track->period = track->samples ? sum / track->samples : 0;
    return 0;
}

static int
by_kind(const void *a, const void *b)
{
    const struct mpi_track_part *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/*
 * For each kind of call, sum up the time before its calls, and the samples in that
 * time.
 */
static int
sum_kinds(struct mpi_track *t)
{
    int64_t last = t->start;
    u32 kept = 0;

    for (u32 i = 0; i < t->calls; i++) {
        const struct mpi_track_call *c = &t->call[i];

        t->kind[c->kind].length += (double)(c->begin > last ? c->begin - last : 0);
        last = c->end;
    }
    t->part = calloc((size_t)t->samples + 1, sizeof(*t->part));
    if (!t->part)
        return -ENOMEM;
    for (u32 i = 0; i < t->samples; i++) {
        const struct mpi_track_sample *s = &t->sample[i];
        u32 kind = t->call[mpitrack_at(t, s->time - 1)].kind;

        t->part[i] = (struct mpi_track_part){ kind, s->path, (double)s->weight };
        t->kind[kind].sampled += (double)s->weight;
    }
    qsort(t->part, t->samples, sizeof(*t->part), by_kind);
    for (u32 i = 0; i < t->samples; i++) {
        struct mpi_track_kind *kind = &t->kind[t->part[i].kind];

        if (kept && t->part[kept - 1].kind == t->part[i].kind &&
            t->part[kept - 1].path == t->part[i].path) {
            t->part[kept - 1].weight += t->part[i].weight;
            continue;
        }
        if (!kind->parts++)
            kind->first = kept;
        t->part[kept++] = t->part[i];
    }
    t->parts = kept;
    return 0;
}

int
mpisamples_get(struct session *session, struct mpi_tracks *t, u32 rank)
{
    const struct rank *r = &t->ranks->rank[rank];
    struct experiment *e = session->experiment[r->experiment];
    struct mpi_track *track = &t->track[rank];
    struct reading reading = { t, e, track, r->host,
                               threads_slot(&e->threads, track->thread),
                               calloc(TRACE_WORKERS, sizeof(struct list)) };
    const struct trace_sink sink = { wishes, WISHES, on_row, &reading };
    double rate;
    int ret = reading.list ? tracescan_rate(e, FILE_profile, &rate) : -ENOMEM;

    if (ret == 0)
        ret = tracepass_run(session, r->experiment, FILE_profile, &sink);
    if (ret == 0 || ret == -ENOENT)
        ret = settle(session, t, track, r->experiment, reading.list);
    if (ret == 0)
        ret = sum_kinds(track);
    for (u32 i = 0; i < TRACE_WORKERS && reading.list; i++)
        free(reading.list[i].sample);
    free(reading.list);
    return ret;
}
