/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpitracks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/mpi/mpisamples.h"
#include "print/model/mpi/mpistates.h"
#include "print/model/mpi/mpiwait.h"
#include "print/model/symbols/function.h"

/* A thread of a rank. */
struct line {
    struct mpi_track track;
    struct hash hash; /* of its kinds */
    u32 before;       /* the last call's node */
    u64 time;         /* in MPI, ns */
};

struct lane {
    struct line *line;
    u32 lines, room;
};

struct building {
    struct mpi_tracks *tracks;
    struct lane *lane; /* by rank */
    struct bins *waits; /* NULL = not wanted */
    u32 pause_room;
    bool no_memory;
};

static struct line *
line_of(struct building *b, u32 rank, u32 thread)
{
    struct lane *lane = &b->lane[rank];

    for (u32 i = 0; i < lane->lines; i++)
        if (lane->line[i].track.thread == thread)
            return &lane->line[i];
    if (array_room(&lane->line, &lane->room, lane->lines + 1, sizeof(*lane->line)) < 0)
        return NULL;
    lane->line[lane->lines] = (struct line){ .track.thread = thread };
    return &lane->line[lane->lines++];
}

struct wanted {
    const struct line *line;
    u32 before, node, call;
};

static bool
is_same(const void *context, u32 index)
{
    const struct wanted *w = context;
    const struct mpi_track_kind *kind = &w->line->track.kind[index];

    return kind->node == w->node && kind->before == w->before && kind->call == w->call;
}

static int
kind_of(struct line *line, u32 node, u32 call, u32 *kind)
{
    const struct wanted wanted = { line, line->before, node, call };
    struct mpi_track *t = &line->track;
    u32 hash = (u32)hash_mix((u64)line->before << 32 | node) ^ call * 0x9e3779b9u;

    *kind = hash_find(&line->hash, hash, is_same, &wanted);
    if (*kind != HASH_NONE)
        return 0;
    *kind = t->kinds;
    if (array_room(&t->kind, &t->kind_room, t->kinds + 1, sizeof(*t->kind)) < 0 ||
        hash_add(&line->hash, hash, t->kinds) < 0)
        return -ENOMEM;
    t->kind[t->kinds++] =
        (struct mpi_track_kind){ .before = line->before, .node = node, .call = call };
    return 0;
}

static int
add_call(struct line *line, int64_t begin, int64_t end, u32 node, u32 call)
{
    struct mpi_track *t = &line->track;
    int64_t last = t->calls ? t->call[t->calls - 1].end : begin;
    u32 kind;

    begin = begin < last ? last : begin;
    end = end < begin ? begin : end;
    if (kind_of(line, node, call, &kind) < 0 ||
        array_room(&t->call, &t->room, t->calls + 1, sizeof(*t->call)) < 0)
        return -ENOMEM;
    t->call[t->calls++] = (struct mpi_track_call){ begin, end, kind, 0 };
    line->before = node;
    line->time += (u64)(end - begin);
    return 0;
}

static void
on_event(void *context, u32 rank, const struct mpi_event *e)
{
    struct building *b = context;
    struct line *line;

    if (e->what != MPI_EVENT_CALL || b->no_memory)
        return;
    line = line_of(b, rank, e->thread);
    if (!line || add_call(line, e->begin, e->end, e->node, e->call) < 0)
        b->no_memory = true;
}

static void
add_pause(struct building *b, const struct mpi_pause *pause)
{
    struct mpi_tracks *t = b->tracks;

    if (array_room(&t->pause, &b->pause_room, t->pauses + 1, sizeof(*t->pause)) < 0)
        b->no_memory = true;
    else
        t->pause[t->pauses++] = *pause;
}

static void
on_wait(void *context, const struct mpi_span *span)
{
    const struct mpi_pause pause = { .begin = span->begin,
                                     .end = span->begin + span->wait,
                                     .since = span->since,
                                     .rank = span->rank,
                                     .whom = span->whom,
                                     .thread = span->thread,
                                     .passes = span->passes };

    const struct building *b = context;

    if (b->waits)
        mpiwaits_add(b->waits, span);
    add_pause(context, &pause);
}

static void
close_lane(struct lane *lane)
{
    for (u32 i = 0; i < lane->lines; i++) {
        free(lane->line[i].track.call);
        free(lane->line[i].track.kind);
        hash_free(&lane->line[i].hash);
    }
    free(lane->line);
}

/* Make the calls of the thread that was in MPI most the rank's track. */
static void
choose(struct lane *lane, struct mpi_track *track)
{
    u32 most = 0;

    for (u32 i = 1; i < lane->lines; i++)
        most = lane->line[i].time > lane->line[most].time ? i : most;
    *track = lane->line[most].track;
    lane->line[most].track = (struct mpi_track){ 0 };
}

/* Get the call path of the code that calls MPI; 0 = not known. */
static int
place(struct session *session, struct mpi_tracks *t, u32 experiment, u32 node,
      u32 *path)
{
    *path = 0;
    if (!node)
        return 0;
    if (mpipaths_of(session, &t->paths, experiment, node, path) < 0)
        return -ENOMEM;
    if (*path == PATH_MPI)
        *path = 0;
    return 0;
}

/* Set a kind's paths: that of its calls, and that of the time before them. */
static int
name_kind(struct session *session, struct mpi_tracks *t, u32 experiment,
          struct mpi_track_kind *kind)
{
    u32 before = 0, here = 0;

    if (place(session, t, experiment, kind->before, &before) < 0 ||
        place(session, t, experiment, kind->node, &here) < 0 ||
        mpipaths_call(&t->paths, here, kind->call, &kind->path) < 0)
        return -ENOMEM;
    if (!before || !here)
        kind->common = before ? before : here;
    else
        kind->common = mpipaths_common(&t->paths, before, here);
    if (!kind->common)
        kind->common = t->unknown;
    return 0;
}

static int
finish_track(struct session *session, struct building *b, u32 rank)
{
    struct mpi_tracks *t = b->tracks;
    const struct rank *r = &t->ranks->rank[rank];
    const struct experiment *e = session->experiment[r->experiment];
    struct mpi_track *track = &t->track[rank];
    struct lane *lane = &b->lane[rank];
    int ret = line_of(b, rank, lane->lines ? lane->line->track.thread : 0) ? 0
                                                                           : -ENOMEM;

    for (u32 i = 0; i < lane->lines && ret == 0; i++) {
        struct line *line = &lane->line[i];
        int64_t end = mpiclocks_common(t->clocks, r->host, e->end_mono);

        ret = add_call(line, end, end, 0, 0);
    }
    if (ret < 0)
        return ret;
    choose(lane, track);
    track->start = mpiclocks_common(t->clocks, r->host, e->start_mono);
    track->end = track->call[track->calls - 1].end;
    for (u32 i = 0; i < track->kinds && ret == 0; i++)
        ret = name_kind(session, t, r->experiment, &track->kind[i]);
    return ret;
}

static int
by_begin(const void *a, const void *b)
{
    const struct mpi_pause *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* Sort the pauses by rank; link each call of a track to the first pause in it. */
static int
link_pauses(struct mpi_tracks *t)
{
    if (t->pauses)
        qsort(t->pause, t->pauses, sizeof(*t->pause), by_begin);
    for (u32 i = 0, end; i < t->pauses; i = end) {
        struct mpi_track *track = &t->track[t->pause[i].rank];

        for (end = i; end < t->pauses && t->pause[end].rank == t->pause[i].rank; end++)
            ;
        track->pause = calloc(end - i, sizeof(*track->pause));
        if (!track->pause)
            return -ENOMEM;
        for (u32 k = i; k < end; k++) {
            u32 at = mpitrack_at(track, t->pause[k].begin);

            if (t->pause[k].thread != track->thread || at == track->calls ||
                track->call[at].pause || track->call[at].begin > t->pause[k].begin)
                continue;
            track->call[at].pause = k + 1;
            track->pause[track->pauses++] = k;
        }
    }
    return 0;
}

/* The rank's call of MPI_Init() or, if `end`, of MPI_Finalize(); NULL = it has none. */
static const struct mpi_track_call *
find_call(const struct mpi_track *t, bool end)
{
    u32 few = t->calls < 64 ? t->calls : 64;

    for (u32 i = 0; i < few; i++) {
        const struct mpi_track_call *c = &t->call[end ? t->calls - 1 - i : i];
        u32 call = t->kind[c->kind].call;

        if (end ? call == MPICALL_Finalize
                : call == MPICALL_Init || call == MPICALL_Init_thread)
            return c;
    }
    return NULL;
}

/*
 * All ranks enter MPI_Init() and leave MPI_Finalize() together. So each rank has waited
 * there for the one that came last. mpiwait.h does not count these waits as wait
 * states.
 */
static void
add_ends(struct building *b, u32 first, u32 count, bool end)
{
    const struct mpi_tracks *t = b->tracks;
    u32 last = first;

    for (u32 i = first; i < first + count; i++) {
        const struct mpi_track_call *c = find_call(&t->track[i], end);

        if (!c)
            return;
        if (c->begin > find_call(&t->track[last], end)->begin)
            last = i;
    }
    for (u32 i = first; i < first + count; i++) {
        const struct mpi_track_call *c = find_call(&t->track[i], end);
        const struct mpi_track_call *other = find_call(&t->track[last], end);
        const struct mpi_pause pause = { .begin = c->begin, .end = other->begin,
                                         .since = INT64_MIN, .rank = i, .whom = last,
                                         .thread = t->track[i].thread };

        if (pause.end > pause.begin && pause.end <= c->end)
            add_pause(b, &pause);
    }
}

static int
build(struct session *session, struct building *b, struct mpi_unmatched *unmatched)
{
    struct mpi_tracks *t = b->tracks;
    const struct ranks *ranks = t->ranks;
    const struct mpi_states_sink sink = { on_wait, on_event, b, true };
    int ret = mpistates_run(session, ranks, t->clocks, &sink, unmatched);

    if (b->no_memory)
        ret = -ENOMEM;
    if (ret == 0)
        ret = mpipaths_pseudo(&t->paths, FUNC_STARTUP, &t->startup);
    if (ret == 0)
        ret = mpipaths_pseudo(&t->paths, FUNC_UNKNOWN, &t->unknown);
    for (u32 i = 0; i < ranks->count && ret == 0; i++)
        ret = finish_track(session, b, i);
    for (u32 i = 0; i < ranks->worlds && ret == 0; i++) {
        add_ends(b, ranks->world[i].first, ranks->world[i].count, false);
        add_ends(b, ranks->world[i].first, ranks->world[i].count, true);
    }
    if (ret == 0)
        ret = b->no_memory ? -ENOMEM : link_pauses(t);
    for (u32 i = 0; i < ranks->count && ret == 0; i++)
        ret = mpisamples_get(session, t, i);
    return ret;
}

int
mpitracks_get(struct session *session, const struct ranks *ranks,
              const struct mpi_clocks *clocks, struct mpi_unmatched *unmatched,
              struct bins *waits, struct mpi_tracks *out)
{
    struct mpi_tracks tracks = { .ranks = ranks, .clocks = clocks };
    struct building b = { .tracks = &tracks, .waits = waits };
    int ret = -ENOMEM;

    tracks.track = calloc((size_t)ranks->count + 1, sizeof(*tracks.track));
    b.lane = calloc((size_t)ranks->count + 1, sizeof(*b.lane));
    if (tracks.track && b.lane)
        ret = build(session, &b, unmatched);
    for (u32 i = 0; b.lane && i < ranks->count; i++)
        close_lane(&b.lane[i]);
    free(b.lane);
    if (ret < 0)
        mpitracks_free(&tracks);
    else
        *out = tracks;
    return ret;
}

void
mpitracks_free(struct mpi_tracks *t)
{
    for (u32 i = 0; t->track && i < t->ranks->count; i++) {
        struct mpi_track *track = &t->track[i];

        free(track->call);
        free(track->kind);
        free(track->part);
        free(track->sample);
        free(track->pause);
    }
    free(t->track);
    free(t->pause);
    mpipaths_free(&t->paths);
    memset(t, 0, sizeof(*t));
}
