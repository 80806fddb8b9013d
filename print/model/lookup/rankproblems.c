/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/lookup/ranks.h"

enum {
    RANGES_NAMED = 10, /* most ranges of ranks that a sentence lists */
};

/*
 * How a rank ended, as text for free(). "" if it still runs, ended in order, or its end
 * is reported elsewhere. NULL = no memory.
 */
static char *
fate_of(const struct experiment *e)
{
    const struct log_event_row *abort = log_last_event(&e->log, "mpi_abort");
    const struct log_event_row *end = log_end(&e->log);
    const char *signal = end ? log_event_attr(end, "signal") : NULL;
    const char *how = end ? log_event_attr(end, "arg1") : NULL;
    const char *code = abort ? log_event_attr(abort, "arg1") : NULL;
    char *fate = NULL;
    int len;

    if (e->state == EXPERIMENT_LIVE)
        return strdup("");
    if (abort)
        len = asprintf(&fate, "called MPI_Abort (error code %s)",
                       code ? code : "not known");
    else if (!log_find_event(&e->log, "mpi_init"))
        len = asprintf(&fate, "called MPI_Init, which did not come back");
    else if (log_last_event(&e->log, "mpi_finalize") || !end)
        return strdup(""); /* the missing end is reported elsewhere */
    else if (signal && strcmp(signal, "0") != 0)
        len = asprintf(&fate, "ended by signal %s, without MPI_Finalize", signal);
    else if (how && strcmp(how, "by itself") != 0)
        len = asprintf(&fate, "ended without MPI_Finalize (%s)", how);
    else
        return strdup("ended without MPI_Finalize");
    return len < 0 ? NULL : fate;
}

/*
 * List the numbers below `size` for which is() is true: "1, 3 to 5 and 9", for free();
 * NULL = no memory. *count: how many there are.
 */
static char *
list_ranks(u32 size, bool (*is)(const void *context, u32 rank), const void *context,
           u32 *count)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    u32 ranges = 0;

    *count = 0;
    for (u32 rank = 0; f && rank < size; rank++) {
        u32 from = rank;

        while (rank < size && is(context, rank))
            rank++;
        *count += rank - from;
        if (rank == from || ++ranges > RANGES_NAMED)
            continue;
        fprintf(f, "%s%u", ranges > 1 ? ", " : "", from);
        if (rank > from + 1)
            fprintf(f, " to %u", rank - 1);
    }
    if (f && ranges > RANGES_NAMED)
        fputs(", ...", f);
    if (f && !fclose(f))
        return text;
    free(text);
    return NULL;
}

/* A way in which some ranks of a world ended. */
struct shared {
    const struct rank_world *world;
    char *const *fate; /* by index in ranks.rank, less world->first: fate_of() */
    const char *what;
};

static bool
has_fate(const void *context, u32 rank)
{
    const struct shared *s = context;
    u32 at = rank < s->world->room ? s->world->by_rank[rank] : 0;

    return at && !strcmp(s->fate[at - 1 - s->world->first], s->what);
}

static int
report_fate(struct problems *problems, const char *path, const struct shared *s)
{
    u32 count;
    char *list = list_ranks(s->world->room, has_fate, s, &count);

    if (!list)
        return -ENOMEM;
    if (count)
        problems_add(problems, "%s: rank%s %s %s", path, count > 1 ? "s" : "", list,
                     s->what);
    free(list);
    return 0;
}

/* Report how ranks ended: one sentence for all ranks that ended in the same way. */
static int
report_ends(struct problems *problems, const struct session *session, const char *path,
            const struct ranks *r, const struct rank_world *world)
{
    char **fate = calloc((size_t)world->count + 1, sizeof(*fate));
    int ret = fate ? 0 : -ENOMEM;

    for (u32 i = 0; i < world->count && ret == 0; i++) {
        fate[i] = fate_of(session->experiment[r->rank[world->first + i].experiment]);
        ret = fate[i] ? 0 : -ENOMEM;
    }
    for (u32 i = 0; i < world->count && ret == 0; i++) {
        struct shared shared = { world, fate, fate[i] };
        u32 first = 0;

        while (strcmp(fate[first], fate[i]) != 0)
            first++;
        if (*fate[i] && first == i)
            ret = report_fate(problems, path, &shared);
    }
    for (u32 i = 0; i < world->count && fate; i++)
        free(fate[i]);
    free(fate);
    return ret;
}

static void
report_twins(struct problems *problems, const struct session *session,
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

static bool
is_missing(const void *context, u32 rank)
{
    const struct rank_world *world = context;

    return rank >= world->room || !world->by_rank[rank];
}

static int
report_missing(struct problems *problems, const char *path,
               const struct rank_world *world)
{
    u32 count;
    char *list = list_ranks(world->size, is_missing, world, &count);

    if (!list)
        return -ENOMEM;
    /*
     * Report nothing if the world has as many experiments as ranks: then a process gave
     * the number of another rank.
     */
    if (count && world->count < world->size)
        problems_add(problems, "%s: MPI_COMM_WORLD has %u ranks, but rank%s %s %s no "
                     "experiment here with MPI_Init: %s not started under the "
                     "collector, or ended before", path, world->size,
                     count > 1 ? "s" : "", list, count > 1 ? "have" : "has",
                     count > 1 ? "they were" : "it was");
    free(list);
    return 0;
}

int
ranks_report_problems(struct session *session, u32 first)
{
    const struct experiment *founder = session->experiment[first];
    struct problems *problems = &session->experiment[first]->problems;
    struct ranks r;
    int ret = ranks_of(session, &r);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < r.worlds && ret == 0; i++) {
        const struct rank_world *world = &r.world[i];

        if (world->founder != founder->founder)
            continue;
        /*
         * If the founder is not loaded, the user has chosen some of the ranks and knows
         * that others exist: do not report them as missing.
         */
        if (founder->is_founder)
            ret = report_missing(problems, founder->path, world);
        report_twins(problems, session, &r, world);
        if (ret == 0)
            ret = report_ends(problems, session, founder->path, &r, world);
    }
    ranks_free(&r);
    return ret;
}
