/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    RANKS_MAX = 1 << 20, /* ignore ranks from this one on: no machine has so many */
};

/* The rank in an experiment's name: 12 in M_r12.er or M_r12_f1.er; RANK_NONE = none. */
static u32
rank_by_name(const struct experiment *e)
{
    const char *name = experiment_base(e);
    u32 rank, used = 0;

    if (sscanf(name, "M_r%8u%n", &rank, &used) == 1 &&
        (name[used] == '.' || name[used] == '_'))
        return rank;
    return RANK_NONE;
}

/*
 * The event mpi_init, with rank and size by MPI's report. If MPI_Init() did not return,
 * the event mpi_begin, with the rank that environment variables gave. NULL = neither.
 */
static const struct log_event_row *
init_of(const struct experiment *e)
{
    const struct log_event_row *init = log_find_event(&e->log, "mpi_init");

    return init ? init : log_find_event(&e->log, "mpi_begin");
}

u32
rank_of(const struct experiment *e, bool itself)
{
    const struct log_event_row *init = init_of(e);
    u64 rank = init ? log_event_number(init, "rank", RANK_NONE) : RANK_NONE;

    if (rank < RANKS_MAX)
        return (u32)rank;
    return init || !itself ? rank_by_name(e) : RANK_NONE;
}

/*
 * The number of ranks in the process's MPI_COMM_WORLD, by MPI's own report; 0 = not
 * known.
 */
static u32
world_size(const struct experiment *e)
{
    const struct log_event_row *init = init_of(e);
    u64 size = init ? log_event_number(init, "size", 0) : 0;

    return size <= RANKS_MAX ? (u32)size : 0;
}

static u32
world_of(struct ranks *r, const struct experiment *e)
{
    const struct log_event_row *init = init_of(e);
    u64 key = init ? log_event_number(init, "world", 1) : 1;
    u32 at = 0;

    while (at < r->worlds &&
           (r->world[at].founder != e->founder || r->world[at].key != key))
        at++;
    if (at == r->worlds)
        r->world[r->worlds++] = (struct rank_world){ .founder = e->founder,
                                                     .key = key };
    return at;
}

static const char *
fact(const struct experiment *e, const char *element, const char *attribute)
{
    const char *value = log_fact(&e->log, element, attribute);

    return value ? value : "";
}

/*
 * The index of the host on which an experiment ran, added if it is new. Assume that
 * processes share a clock, and so a host, if the names of host and boot are the same.
 */
static u32
host_of(struct ranks *r, const struct experiment *e)
{
    struct rank_host host = {
        fact(e, "host", "name"), fact(e, "host", "boot"),
        (int64_t)(e->start_wall - e->start_mono),
    };
    u32 at = 0;

    while (at < r->hosts && (strcmp(r->host[at].name, host.name) ||
                             strcmp(r->host[at].boot, host.boot)))
        at++;
    if (at == r->hosts)
        r->host[r->hosts++] = host;
    return at;
}

static int
by_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->world != y->world)
        return x->world < y->world ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->experiment < y->experiment ? -1 : x->experiment > y->experiment;
}

static int
index_world(struct ranks *r, u32 number)
{
    struct rank_world *world = &r->world[number];
    u32 end;

    while (world->first < r->count && r->rank[world->first].world != number)
        world->first++;
    end = world->first;
    while (end < r->count && r->rank[end].world == number)
        end++;
    world->count = end - world->first;
    world->room = world->count ? r->rank[end - 1].rank + 1 : 0;
    world->by_rank = calloc((size_t)world->room + 1, sizeof(*world->by_rank));
    if (!world->by_rank)
        return -ENOMEM;
    for (u32 i = world->first; i < end; i++)
        if (!world->by_rank[r->rank[i].rank])
            world->by_rank[r->rank[i].rank] = i + 1;
    return 0;
}

static void
add_rank(struct ranks *r, const struct session *session, u32 experiment)
{
    const struct experiment *e = session->experiment[experiment];
    struct rank rank = { .experiment = experiment, .rank = rank_of(e, true) };
    u32 size = world_size(e);

    if (rank.rank == RANK_NONE)
        return;
    rank.world = world_of(r, e);
    rank.host = host_of(r, e);
    if (size > r->world[rank.world].size)
        r->world[rank.world].size = size;
    r->rank[r->count++] = rank;
}

int
ranks_of(const struct session *session, struct ranks *out)
{
    size_t room = (size_t)session->nexperiments + 1;
    struct ranks r = { .rank = calloc(room, sizeof(*r.rank)),
                       .world = calloc(room, sizeof(*r.world)),
                       .host = calloc(room, sizeof(*r.host)) };
    int ret = r.rank && r.world && r.host ? 0 : -ENOMEM;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        add_rank(&r, session, i);
    if (r.count)
        qsort(r.rank, r.count, sizeof(*r.rank), by_rank);
    for (u32 i = 0; i < r.worlds && ret == 0; i++)
        ret = index_world(&r, i);
    if (ret < 0)
        ranks_free(&r);
    else
        *out = r;
    return ret;
}

void
ranks_free(struct ranks *r)
{
    for (u32 i = 0; i < r->worlds; i++)
        free(r->world[i].by_rank);
    free(r->world);
    free(r->rank);
    free(r->host);
    memset(r, 0, sizeof(*r));
}

const struct rank *
ranks_find(const struct ranks *r, u32 world, u32 rank)
{
    const struct rank_world *w = &r->world[world];

    if (rank >= w->room || !w->by_rank[rank])
        return NULL;
    return &r->rank[w->by_rank[rank] - 1];
}
