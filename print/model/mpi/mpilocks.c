/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpilocks.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/base/hash.h"

enum {
    CLOSED = 16, /* released locks of a place that are kept, the last ones */
};

/* The calls in which a rank may have waited for a lock. */
enum part {
    PART_LOCK,
    PART_BETWEEN, /* the longest one */
    PART_UNLOCK,
    PARTS,
};

/* A rank's lock on one place, from MPI_Win_lock() to MPI_Win_unlock(). */
struct lock {
    u64 window; /* 0 = none */
    u32 rank, target; /* who locks, and whose memory */
    bool alone; /* it excludes all other locks */
    struct mpi_span *span[PARTS];
};

/* The memory of one rank (`target`) in one window. */
struct place {
    u64 window;
    u32 target;
    u32 next; /* in closed[] */
    struct lock closed[CLOSED];
};

struct held {
    struct lock *lock;
    u32 count, room;
};

struct mpi_locks {
    const struct mpi_windows_sink *sink;
    struct held *held; /* by rank */
    u32 ranks;
    struct place **place;
    u32 places, room;
    struct hash hash;
};

struct mpi_locks *
mpilocks_open(u32 ranks, const struct mpi_windows_sink *sink)
{
    struct mpi_locks *l = calloc(1, sizeof(*l));

    if (!l)
        return NULL;
    l->sink = sink;
    l->ranks = ranks;
    l->held = calloc((size_t)ranks + 1, sizeof(*l->held));
    if (l->held)
        return l;
    free(l);
    return NULL;
}

static void
forget(struct mpi_locks *l, struct lock *lock)
{
    for (u32 i = 0; i < PARTS; i++)
        l->sink->release(l->sink->context, lock->span[i]);
    *lock = (struct lock){ 0 };
}

void
mpilocks_close(struct mpi_locks *l)
{
    if (!l)
        return;
    for (u32 i = 0; i < l->ranks; i++) {
        for (u32 k = 0; k < l->held[i].count; k++)
            forget(l, &l->held[i].lock[k]);
        free(l->held[i].lock);
    }
    for (u32 i = 0; i < l->places; i++) {
        for (u32 k = 0; k < CLOSED; k++)
            forget(l, &l->place[i]->closed[k]);
        free(l->place[i]);
    }
    free(l->held);
    free(l->place);
    hash_free(&l->hash);
    free(l);
}

static bool
is_place(const void *context, u32 index)
{
    const struct mpi_locks *l = context;
    const struct place *wanted = l->place[l->places], *place = l->place[index];

    return place->window == wanted->window && place->target == wanted->target;
}

/* Find the place that a lock is on, or make it; NULL = no memory. */
static struct place *
place_of(struct mpi_locks *l, const struct lock *lock)
{
    u32 hash = (u32)hash_mix(lock->window ^ hash_mix(lock->target)), at;
    struct place wanted = { .window = lock->window, .target = lock->target }, *made;

    if (array_room(&l->place, &l->room, l->places + 1, sizeof(struct place *)) < 0)
        return NULL;
    l->place[l->places] = &wanted; /* is_place() finds it there */
    at = hash_find(&l->hash, hash, is_place, l);
    if (at != HASH_NONE)
        return l->place[at];
    made = calloc(1, sizeof(*made));
    if (!made || hash_add(&l->hash, hash, l->places) < 0) {
        free(made);
        return NULL;
    }
    *made = wanted;
    return l->place[l->places++] = made;
}

/*
 * Report the calls of the lock `waiting` that were running when `first` began to
 * unlock: they have waited for that.
 */
static void
judge(struct mpi_locks *l, const struct lock *waiting, const struct lock *first)
{
    const struct mpi_span *unlock = first->span[PART_UNLOCK];
    const struct mpi_side whom = { .begin = unlock->begin, .rank = first->rank,
                                   .node = unlock->node };

    for (u32 i = 0; i < PARTS; i++) {
        struct mpi_span *span = waiting->span[i];

        if (span && span->begin < whom.begin && span->end >= whom.begin)
            l->sink->waited(l->sink->context, MPI_ASIDE_LOCK, span, waiting->rank,
                            &whom);
    }
}

/* Had `a` begun to unlock before MPI_Win_lock() of `b` returned? */
static bool
is_over_before(const struct lock *a, const struct lock *b)
{
    return a->span[PART_UNLOCK]->begin <= b->span[PART_LOCK]->end;
}

/*
 * Two locks of one place: report which of them has waited for the other. `last` is the
 * one that was released just now.
 */
static void
judge_two(struct mpi_locks *l, const struct lock *old, const struct lock *last)
{
    bool old_first = is_over_before(old, last), last_first = is_over_before(last, old);

    if (old->rank == last->rank || (!old->alone && !last->alone))
        return;
    if (last_first && !old_first)
        judge(l, old, last);
    else
        judge(l, last, old);
}

static int
close_lock(struct mpi_locks *l, struct lock *lock)
{
    struct place *place = place_of(l, lock);
    struct lock *old;

    if (!place) {
        forget(l, lock);
        return -ENOMEM;
    }
    for (u32 i = 0; i < CLOSED; i++)
        if (place->closed[i].window)
            judge_two(l, &place->closed[i], lock);
    old = &place->closed[place->next++ % CLOSED];
    forget(l, old);
    *old = *lock;
    return 0;
}

static struct mpi_span *
keep(struct mpi_span *span)
{
    span->pending++;
    return span;
}

static int
begin(struct held *held, const struct mpi_window_call *c)
{
    if (array_room(&held->lock, &held->room, held->count + 1, sizeof(*held->lock)) < 0)
        return -ENOMEM;
    held->lock[held->count++] =
        (struct lock){ c->window, c->rank, c->peer, c->kind == MPI_KIND_RMA_ALONE,
                       { [PART_LOCK] = keep(c->span) } };
    return 0;
}

static void
add_between(struct mpi_locks *l, struct lock *lock, struct mpi_span *span)
{
    struct mpi_span *old = lock->span[PART_BETWEEN];

    if (old && old->end - old->begin >= span->end - span->begin)
        return;
    lock->span[PART_BETWEEN] = keep(span);
    l->sink->release(l->sink->context, old);
}

int
mpilocks_call(struct mpi_locks *l, const struct mpi_window_call *c)
{
    struct held *held = &l->held[c->rank];
    struct lock lock;
    u32 at = 0;

    if (c->call == MPICALL_Win_lock)
        return begin(held, c);
    while (at < held->count &&
           (held->lock[at].window != c->window || held->lock[at].target != c->peer))
        at++;
    if (at == held->count)
        return 0;
    if (c->call != MPICALL_Win_unlock) {
        add_between(l, &held->lock[at], c->span);
        return 0;
    }
    lock = held->lock[at];
    lock.span[PART_UNLOCK] = keep(c->span);
    array_remove(held->lock, &held->count, at, sizeof(*held->lock));
    return close_lock(l, &lock);
}
