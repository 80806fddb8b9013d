/* SPDX-License-Identifier: Apache-2.0 */
/* Reports the time in MPI, and for which rank the others waited. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/mpi/mpi.h"
#include "print/model/mpi/mpimerge.h"
#include "print/model/symbols/function.h"

/* The name of an MPI function. In damaged records, `call` may have any value. */
static const char *
name_of(u32 call)
{
    const char *name = mpicall_name(call);

    return name ? name : "an unknown function";
}

/*
 * Find the MPI function whose calls took most time, over all ways in which they ended.
 */
static void
top_call(const struct mpi *mpi, u32 *call, u64 *time, u64 *count, u64 *total)
{
    *call = 0;
    *time = *count = *total = 0;
    for (u32 i = 0, next; i < mpi->calls; i = next) {
        u64 sum = 0, calls = 0;

        for (next = i; next < mpi->calls && mpi->call[next].call == mpi->call[i].call;
             next++) {
            sum += mpi->call[next].time;
            calls += mpi->call[next].count;
        }
        *total += sum;
        if (sum <= *time)
            continue;
        *call = mpi->call[i].call;
        *time = sum;
        *count = calls;
    }
}

static void
add_calls(struct findings *f, const struct mpi *mpi)
{
    u64 time, count, total;
    u32 call;

    top_call(mpi, &call, &time, &count, &total);
    if (!total)
        return;
    phrase_begin(f, FINDING_MPI, "mpi");
    phrase_add(f, "%u rank%s spent %s in MPI, ", mpi->ranks.count,
               mpi->ranks.count == 1 ? "" : "s", phrase_seconds(f, total));
    phrase_add_share(f, (double)time, (double)total);
    phrase_add(f, " of it, ");
    phrase_add_time(f, time);
    phrase_add(f, ", in ");
    phrase_add_count(f, count, "call", "calls");
    phrase_add(f, " of ");
    phrase_add_name(f, FIND_NAME, name_of(call));
    phrase_add(f, ".");
}

/* Report the rank for which others waited longest, and the longest of these waits. */
static void
add_whom(struct session *session, struct findings *f, const struct ranks *ranks,
         const struct mpi_waits *w, u64 total)
{
    u64 *by_rank = calloc(ranks->count + 1, sizeof(*by_rank));
    const struct mpi_wait *worst = NULL;
    char name[24];
    u32 whom = 0;

    if (!by_rank) {
        f->no_memory = true;
        return;
    }
    for (u32 i = 0; i < w->count; i++)
        by_rank[w->wait[i].whom] += w->wait[i].time;
    for (u32 i = 0; i < ranks->count; i++)
        whom = by_rank[i] > by_rank[whom] ? i : whom;
    for (u32 i = 0; i < w->count && !worst; i++)
        if (w->wait[i].whom == whom)
            worst = &w->wait[i];
    phrase_begin(f, FINDING_MPI, "mpiwait");
    phrase_add(f, "Ranks waited %s for others, ", phrase_seconds(f, total));
    phrase_add_share(f, (double)by_rank[whom], (double)total);
    phrase_add(f, " of it, ");
    phrase_add_time(f, by_rank[whom]);
    phrase_add(f, ", for ");
    snprintf(name, sizeof(name), "rank %u", ranks->rank[whom].rank);
    phrase_add_name(f, FIND_NAME, name);
    if (worst && worst->node) {
        phrase_add(f, "; rank %u waited longest, at ", ranks->rank[worst->who].rank);
        phrase_add_name(f, FIND_PLACE, phrase_place(f, session, worst->node));
    }
    phrase_add(f, ".");
    free(by_rank);
}

static void
add_waits(struct session *session, struct findings *f, const struct ranks *ranks,
          const struct mpi_waits *waits)
{
    u64 total = 0;

    for (u32 i = 0; i < waits->count; i++)
        total += waits->wait[i].time;
    if (total)
        add_whom(session, f, ranks, waits, total);
}

static double
cost_of(const struct mpi_cause *cause)
{
    return cause->direct + cause->indirect;
}

/* Report what caused most of the waiting. */
static void
add_cause(struct session *session, struct findings *f, const struct mpi_delays *d)
{
    const struct mpi_cause *cause = d->cause;
    const struct mpi_path *path = &d->tracks.paths.path[cause->path];
    u32 rank = d->ranks.rank[cause->rank].rank;

    if (path->call ? !path->parent : path->func == FUNC_UNKNOWN)
        return;
    phrase_begin(f, FINDING_MPI, "mpidelay");
    phrase_add_share(f, cause->value, d->waited);
    phrase_add(f, " of the waiting of all ranks, ");
    phrase_add_time(f, (u64)(cause->value + 0.5));
    phrase_add(f, ", is caused by ");
    if (path->call) {
        phrase_add(f, "calls of %s in ", name_of(path->call));
        path = &d->tracks.paths.path[path->parent];
    }
    phrase_add_function(f, session, path->func);
    phrase_add(f, " of rank %u.", rank);
}

/* Report who waited and why. One pass over all messages finds both. */
static int
add_delays(struct session *session, struct findings *f)
{
    struct mpi_waits waits = { 0 };
    struct mpi_delays delays;
    int ret = mpidelays_get(session, &waits, &delays);

    if (ret == 0) {
        add_waits(session, f, &delays.ranks, &waits);
        ret = mpimerge_causes(&delays, true, false, cost_of);
    }
    if (ret == 0 && delays.causes && delays.cause->value >= 1)
        add_cause(session, f, &delays);
    mpidelays_free(&delays);
    mpiwaits_free(&waits);
    return ret;
}

int
sections_mpi(struct session *session, struct findings *f)
{
    struct mpi mpi;
    int ret;

    if (!sections_any(session, FILE_mpitrace))
        return 0;
    ret = mpi_get(session, MPI_CALLS, &mpi);
    if (ret < 0)
        return ret;
    if (mpi.calls) {
        add_calls(f, &mpi);
        ret = add_delays(session, f);
    } else {
        phrase_begin(f, FINDING_MPI, "mpi");
        phrase_add(f, "No call of MPI was recorded.");
    }
    mpi_free(&mpi);
    return ret;
}
