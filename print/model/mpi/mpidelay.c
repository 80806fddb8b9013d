/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpidelay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/mpi/mpialign.h"
#include "print/model/mpi/mpicritical.h"
#include "print/model/mpi/mpiwait.h"

enum {
    LIMIT = 1024, /* calls of a rank to look back at */
};

/* What must be charged to the causes of one wait state. */
struct charge {
    double own, passed; /* ns: the wait itself; what later waits pass on to it */
    bool settled;
};

/* A wait of rank q between s and t (see mpidelay.h). */
struct earlier {
    u32 pause;
    double ns;
};

struct settling {
    struct mpi_delays *out;
    struct mpi_causes charges;
    struct charge *charge; /* by pause */
    double *delay;         /* by path */
    u32 *touched;          /* the paths whose delay may not be 0 */
    bool *is_touched;
    u32 touches;
    double sign; /* factor of times added to `delay`: 1 for q's, -1 for r's */
    double waited[2]; /* by q, and by r */
    struct earlier *earlier; /* q's */
    u32 earliers, room;
    bool no_memory;
};

static void
on_time(void *context, u32 path, double ns)
{
    struct settling *s = context;

    if (!s->is_touched[path]) {
        s->is_touched[path] = true;
        s->touched[s->touches++] = path;
    }
    s->delay[path] += s->sign * ns;
}

static void
on_waited(void *context, u32 pause, double ns)
{
    struct settling *s = context;

    if (s->sign < 0) {
        s->waited[1] += ns;
        return;
    }
    if (s->charge[pause].settled)
        return; /* it does not end earlier, since clocks are inexact: ignore it */
    s->waited[0] += ns;
    if (array_room(&s->earlier, &s->room, s->earliers + 1, sizeof(*s->earlier)) < 0)
        s->no_memory = true;
    else
        s->earlier[s->earliers++] = (struct earlier){ pause, ns };
}

/* Get `since`; if the LIMITth call before `moment` began later, get its beginning. */
static int64_t
bound(const struct mpi_track *t, int64_t since, int64_t moment)
{
    u32 at = mpitrack_at(t, moment);

    if (at < LIMIT || t->call[at - LIMIT].begin < since)
        return since;
    return t->call[at - LIMIT].begin;
}

/*
 * When the two ranks of a wait were last in step before it, but at most LIMIT calls
 * back.
 */
static int64_t
in_step(const struct mpi_tracks *t, const struct mpi_pause *p)
{
    const struct mpi_track *r = &t->track[p->rank], *q = &t->track[p->whom];
    int64_t since = p->since;

    if (since == INT64_MIN)
        since = r->start < q->start ? r->start : q->start;
    since = bound(r, since, p->begin);
    return bound(q, since, p->begin);
}

/*
 * The path of what q did last before a moment. A wait is charged to it if q has no
 * delay.
 */
static u32
last_path(const struct mpi_track *q, int64_t moment)
{
    u32 at = mpitrack_at(q, moment - 1);

    if (at == q->calls)
        at--;
    if (q->call[at].begin >= moment || at + 1 == q->calls)
        return q->kind[q->call[at].kind].common;
    return q->kind[q->call[at].kind].path;
}

/* Charge a wait state to the call paths that caused it, and to earlier waits. */
static void
settle(struct settling *s, u32 index)
{
    const struct mpi_tracks *t = &s->out->tracks;
    const struct mpi_pause *p = &t->pause[index];
    struct charge *c = &s->charge[index];
    const struct mpi_spread use = { on_time, on_waited, s };
    int64_t since = in_step(t, p);
    double sum = 0, excess;

    s->touches = s->earliers = 0;
    s->waited[0] = s->waited[1] = 0;
    s->sign = 1;
    mpitrack_spread(t, p->whom, since, p->end, &use);
    s->sign = -1;
    mpitrack_spread(t, p->rank, since, p->begin, &use);
    excess = s->waited[0] > s->waited[1] ? s->waited[0] - s->waited[1] : 0;
    for (u32 i = 0; i < s->touches; i++)
        sum += s->delay[s->touched[i]] > 0 ? s->delay[s->touched[i]] : 0;
    for (u32 i = 0; i < s->touches; i++) {
        u32 path = s->touched[i];
        double share = sum + excess > 0 ? s->delay[path] / (sum + excess) : 0;

        if (share > 0)
            mpicauses_add(&s->charges, p->whom, path, c->own * share,
                           c->passed * share);
        s->delay[path] = 0;
        s->is_touched[path] = false;
    }
    for (u32 i = 0; i < s->earliers && excess > 0; i++)
        s->charge[s->earlier[i].pause].passed +=
            (c->own + c->passed) * excess / (sum + excess) * s->earlier[i].ns /
            s->waited[0];
    if (!(sum + excess > 0))
        mpicauses_add(&s->charges, p->whom,
                       last_path(&t->track[p->whom], p->end), c->own, c->passed);
}

/* Wait states are charged in the order of their ends, the last one first. */
struct turn {
    int64_t end;
    u32 pause;
};

static int
by_end(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->end != y->end)
        return x->end < y->end ? 1 : -1;
    return x->pause < y->pause ? -1 : x->pause > y->pause;
}

static int
settle_all(struct settling *s)
{
    const struct mpi_tracks *t = &s->out->tracks;
    struct turn *turn = calloc((size_t)t->pauses + 1, sizeof(*turn));

    if (!turn)
        return -ENOMEM;
    for (u32 i = 0; i < t->pauses; i++) {
        turn[i] = (struct turn){ t->pause[i].end, i };
        if (t->pause[i].passes)
            s->charge[i].own = (double)(t->pause[i].end - t->pause[i].begin);
        s->out->waited += s->charge[i].own;
    }
    qsort(turn, t->pauses, sizeof(*turn), by_end);
    for (u32 i = 0; i < t->pauses && !s->no_memory; i++) {
        const struct charge *c = &s->charge[turn[i].pause];

        s->charge[turn[i].pause].settled = true;
        if (c->own > 0 || c->passed > 0)
            settle(s, turn[i].pause);
    }
    free(turn);
    return s->no_memory ? -ENOMEM : 0;
}

static int
find_causes(struct mpi_delays *out)
{
    struct settling s = { .out = out };
    u32 paths = out->tracks.paths.count;
    int ret = -ENOMEM;

    s.charge = calloc((size_t)out->tracks.pauses + 1, sizeof(*s.charge));
    s.delay = calloc((size_t)paths + 1, sizeof(*s.delay));
    s.touched = calloc((size_t)paths + 1, sizeof(*s.touched));
    s.is_touched = calloc((size_t)paths + 1, sizeof(*s.is_touched));
    if (s.charge && s.delay && s.touched && s.is_touched)
        ret = settle_all(&s);
    if (ret == 0)
        ret = mpicritical_walk(&out->tracks, &s.charges, &out->critical);
    out->cause = s.charges.cause;
    out->causes = s.charges.causes;
    hash_free(&s.charges.hash);
    free(s.charge);
    free(s.delay);
    free(s.touched);
    free(s.is_touched);
    free(s.earlier);
    return s.charges.no_memory ? -ENOMEM : ret;
}

int
mpidelays_get(struct session *session, struct mpi_waits *waits, struct mpi_delays *out)
{
    struct bins bins = { .limit = MPIWAITS_PLACES };
    struct mpi_delays *d = out;
    int ret;

    memset(d, 0, sizeof(*d));
    ret = ranks_of(session, &d->ranks);
    if (ret == 0) {
        mpiwaits_check_data(session, &d->ranks, &d->recorded, &d->dropped);
        ret = mpiclocks_open(session, &d->ranks, &d->clocks);
    }
    if (ret == 0)
        ret = mpialign_clocks(session, &d->ranks, &d->clocks);
    if (ret == 0)
        ret = mpitracks_get(session, &d->ranks, &d->clocks, &d->unmatched,
                            waits ? &bins : NULL, &d->tracks);
    if (ret == 0 && waits)
        ret = mpiwaits_settle(session, &d->ranks, &bins, waits);
    bins_free(&bins);
    if (ret == 0)
        ret = find_causes(d);
    if (ret < 0)
        mpidelays_free(d);
    return ret;
}

void
mpidelays_free(struct mpi_delays *d)
{
    mpitracks_free(&d->tracks);
    ranks_free(&d->ranks);
    mpiclocks_free(&d->clocks);
    free(d->cause);
    memset(d, 0, sizeof(*d));
}
