/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/ranks.h"

enum {
    MISSING_NAMED = 10, /* missing ranks that are named one by one */
};

static void
tell_end(struct problems *problems, const struct experiment *e, u32 rank)
{
    const struct log_event_row *abort = log_last_event(&e->log, "mpi_abort");
    const struct log_event_row *end = log_last_event(&e->log, "end");
    const char *signal = end ? log_event_attr(end, "signal") : NULL;
    const char *code = abort ? log_event_attr(abort, "arg1") : NULL;

    if (e->state == EXPERIMENT_LIVE)
        return;
    if (abort)
        problems_add(problems, "%s: rank %u called MPI_Abort (error code %s)", e->path,
                     rank, code ? code : "not known");
    else if (log_last_event(&e->log, "mpi_finalize"))
        return;
    else if (signal && strcmp(signal, "0") != 0)
        problems_add(problems, "%s: rank %u was ended by signal %s, before "
                     "MPI_Finalize", e->path, rank, signal);
    else if (end) /* else it is told that it has none */
        problems_add(problems, "%s: rank %u ended without MPI_Finalize", e->path, rank);
}

static void
tell_twins(struct problems *problems, const struct session *session,
           const struct ranks *r, const struct rank_world *world)
{
    for (u32 i = world->first + 1; i < world->first + world->count; i++) {
        const struct rank *one = &r->rank[i - 1], *other = &r->rank[i];

        if (one->rank == other->rank)
            problems_add(problems, "%s and %s both say that they are rank %u: views of "
                         "messages take the first",
                         session->experiment[one->experiment]->path,
                         session->experiment[other->experiment]->path, one->rank);
    }
}

/* "1, 3 to 5 and 9", for free(); NULL = no memory. */
static char *
list_missing(const struct rank_world *world, u32 *count)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    u32 ranges = 0;

    *count = 0;
    for (u32 rank = 0; f && rank < world->size; rank++) {
        u32 from = rank;

        while (rank < world->size && (rank >= world->room || !world->by_rank[rank]))
            rank++;
        *count += rank - from;
        if (rank == from || ++ranges > MISSING_NAMED)
            continue;
        fprintf(f, "%s%u", ranges > 1 ? ", " : "", from);
        if (rank > from + 1)
            fprintf(f, " to %u", rank - 1);
    }
    if (f && ranges > MISSING_NAMED)
        fputs(", ...", f);
    if (f && !fclose(f))
        return text;
    free(text);
    return NULL;
}

static int
tell_missing(struct problems *problems, const char *path,
             const struct rank_world *world)
{
    u32 count;
    char *list = list_missing(world, &count);

    if (!list)
        return -ENOMEM;
    /* A rank that says that it is another one is not missing. */
    if (count && world->count < world->size)
        problems_add(problems, "%s: MPI_COMM_WORLD has %u ranks, but rank%s %s %s no "
                     "experiment here: %s not started under the collector, or ended "
                     "before MPI_Init", path, world->size, count > 1 ? "s" : "", list,
                     count > 1 ? "have" : "has", count > 1 ? "they were" : "it was");
    free(list);
    return 0;
}

int
ranks_tell(struct session *session, u32 first)
{
    struct problems *problems = &session->experiment[first]->problems;
    struct ranks r;
    int ret = ranks_of(session, &r);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < r.worlds && ret == 0; i++) {
        const struct rank_world *world = &r.world[i];

        if (world->founder != session->experiment[first]->founder)
            continue;
        /* Who names ranks one by one knows of the others. */
        if (session->experiment[first]->is_founder)
            ret = tell_missing(problems, session->experiment[first]->path, world);
        tell_twins(problems, session, &r, world);
        for (u32 k = world->first; k < world->first + world->count; k++)
            tell_end(problems, session->experiment[r.rank[k].experiment],
                     r.rank[k].rank);
    }
    ranks_free(&r);
    return ret;
}
