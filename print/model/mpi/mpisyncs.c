/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpisyncs.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/base/hash.h"

enum {
    COMMS_KEPT = 8, /* communicators of a rank, those that were used last */
};

/*
 * The last two steps of two ranks. While a call waits for `last`, mpisyncs_before()
 * needs the step before that call began.
 */
struct steps {
    int64_t last, before;
    int64_t begun; /* of the call that waited for `last` */
};

struct pair {
    u32 from, to;
    struct steps steps;
};

struct joined {
    u64 comm; /* its key, 0 = none */
    struct steps steps;
};

struct mpi_syncs {
    struct pair *pair;
    u32 pairs, room;
    struct hash hash;
    struct joined (*joined)[COMMS_KEPT]; /* by rank, the one used last first */
};

static const struct steps no_steps = { INT64_MIN, INT64_MIN, INT64_MIN };

struct mpi_syncs *
mpisyncs_open(u32 ranks)
{
    struct mpi_syncs *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->joined = calloc((size_t)ranks + 1, sizeof(*s->joined));
    if (s->joined)
        return s;
    free(s);
    return NULL;
}

void
mpisyncs_close(struct mpi_syncs *s)
{
    if (!s)
        return;
    free(s->pair);
    free(s->joined);
    hash_free(&s->hash);
    free(s);
}

static void
step(struct steps *steps, int64_t moment, int64_t begun)
{
    if (steps->begun != begun || steps->last == INT64_MIN) {
        steps->before = steps->last;
        steps->begun = begun;
    }
    if (moment > steps->last)
        steps->last = moment;
}

static int64_t
last_of(const struct steps *steps, int64_t moment)
{
    if (steps->last <= moment)
        return steps->last;
    return steps->before <= moment ? steps->before : INT64_MIN;
}

struct wanted {
    const struct mpi_syncs *syncs;
    u32 from, to;
};

static bool
is_pair(const void *context, u32 index)
{
    const struct wanted *w = context;
    const struct pair *pair = &w->syncs->pair[index];

    return pair->from == w->from && pair->to == w->to;
}

static u32
find(const struct mpi_syncs *s, u32 from, u32 to, u32 *hash)
{
    const struct wanted wanted = { s, from, to };

    *hash = (u32)hash_mix((u64)from << 32 | to);
    return hash_find(&s->hash, *hash, is_pair, &wanted);
}

int
mpisyncs_pair(struct mpi_syncs *s, u32 from, u32 to, int64_t moment, int64_t begun)
{
    u32 hash, at = find(s, from, to, &hash);

    if (at == HASH_NONE) {
        at = s->pairs;
        if (array_room(&s->pair, &s->room, at + 1, sizeof(*s->pair)) < 0 ||
            hash_add(&s->hash, hash, at) < 0)
            return -ENOMEM;
        s->pair[s->pairs++] = (struct pair){ from, to, no_steps };
    }
    step(&s->pair[at].steps, moment, begun);
    return 0;
}

static void
join(struct joined *joined, u64 comm, int64_t moment)
{
    struct joined mine = { comm, no_steps };
    u32 at = 0;

    while (at < COMMS_KEPT - 1 && joined[at].comm && joined[at].comm != comm)
        at++;
    if (joined[at].comm == comm)
        mine = joined[at];
    for (; at; at--)
        joined[at] = joined[at - 1];
    step(&mine.steps, moment, moment);
    joined[0] = mine;
}

void
mpisyncs_all(struct mpi_syncs *s, const struct mpi_collective *call, int64_t moment)
{
    for (u32 i = 0; i < call->count; i++)
        join(s->joined[call->entry[i].rank], call->comm, moment);
}

static int64_t
latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t
mpisyncs_before(const struct mpi_syncs *s, u32 a, u32 b, int64_t moment)
{
    const struct joined *x = s->joined[a], *y = s->joined[b];
    int64_t last = INT64_MIN;
    u32 hash, at = find(s, a, b, &hash);

    if (at != HASH_NONE)
        last = last_of(&s->pair[at].steps, moment);
    at = find(s, b, a, &hash);
    if (at != HASH_NONE)
        last = latest(last, last_of(&s->pair[at].steps, moment));
    for (u32 i = 0; i < COMMS_KEPT && x[i].comm; i++)
        for (u32 k = 0; k < COMMS_KEPT && y[k].comm; k++)
            if (x[i].comm == y[k].comm)
                last = latest(last, last_of(&x[i].steps, moment));
    return last;
}
