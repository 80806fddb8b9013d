/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpihang.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/mpi/mpiblame.h"
#include "print/model/symbols/stacks.h"

enum {
    TOGETHER = 20000000, /* ns: ends that are closer to each other are one event */
};

/* The last call from which a thread has returned, and the call that it is in. */
struct last {
    u32 thread;
    int64_t end;           /* of its last call that returned */
    struct mpi_event open; /* the call it is in; begun is 0 if it is in none */
};

struct lane {
    struct last *last;
    u32 lasts, room;
};

struct hang_scan {
    struct lane *lane; /* by rank */
    struct mpi_blame *blame;
    bool no_memory;
};

static bool
is_unfinished(const struct experiment *e)
{
    return rank_of(e, true) != RANK_NONE && log_find_event(&e->log, "mpi_init") &&
           !log_last_event(&e->log, "mpi_finalize");
}

bool
mpihang_may_be(const struct session *session)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (is_unfinished(session->experiment[i]))
            return true;
    return false;
}

static struct last *
last_of(struct hang_scan *l, u32 rank, u32 thread)
{
    struct lane *lane = &l->lane[rank];

    for (u32 i = 0; i < lane->lasts; i++)
        if (lane->last[i].thread == thread)
            return &lane->last[i];
    if (array_room(&lane->last, &lane->room, lane->lasts + 1,
                   sizeof(*lane->last)) < 0) {
        l->no_memory = true;
        return NULL;
    }
    lane->last[lane->lasts] = (struct last){ .thread = thread, .end = INT64_MIN };
    return &lane->last[lane->lasts++];
}

static bool
on_event(void *context, u32 rank, const struct mpi_event *e)
{
    struct hang_scan *l = context;
    struct last *last = last_of(l, rank, e->thread);

    if (!last)
        return false;
    if (e->what == MPI_EVENT_OPEN)
        last->open = *e;
    else if (e->what == MPI_EVENT_CALL && e->end > last->end)
        last->end = e->end;
    if (e->what != MPI_EVENT_OPEN && mpiblame_add(l->blame, rank, e) < 0)
        l->no_memory = true;
    return !l->no_memory;
}

static int
add_call(struct session *session, struct mpi_hang *hang, u32 rank,
         const struct last *last, int64_t end)
{
    const struct mpi_event *e = &last->open;
    struct mpi_open_call call = { .rank = rank, .call = e->call, .to = e->peer,
                                  .from = e->from, .tag = e->tag, .comm = e->comm,
                                  .seq = e->seq };

    /* The thread has returned from another call since, so from this one, too. */
    if (!e->begun || e->begin < last->end)
        return 0;
    call.age = end > e->begin ? (u64)(end - e->begin) : 0;
    if (array_room(&hang->call, &hang->call_room, hang->calls + 1, sizeof(call)) < 0 ||
        stacks_of(session, hang->ranks.rank[rank].experiment, e->node, &call.node) < 0)
        return -ENOMEM;
    hang->call[hang->calls++] = call;
    return 0;
}

static int64_t
end_of(const struct mpi_hang *hang, const struct session *session, u32 rank)
{
    const struct rank *r = &hang->ranks.rank[rank];

    return mpiclocks_common(&hang->clocks, r->host,
                            session->experiment[r->experiment]->end_mono);
}

/*
 * Until when a rank's unfinished calls are known to have lasted: until the rank's own
 * end; if that was not recorded, until the last moment known of any rank or experiment.
 */
static int64_t
known_until(const struct mpi_hang *hang, const struct session *session, u32 rank)
{
    int64_t end = end_of(hang, session, rank);

    if (session->experiment[hang->ranks.rank[rank].experiment]->state ==
        EXPERIMENT_COMPLETE)
        return end;
    for (u32 i = 0; i < hang->ranks.count; i++)
        if (end_of(hang, session, i) > end)
            end = end_of(hang, session, i);
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];
        int64_t its = (int64_t)(e->end_mono + e->start_wall - e->start_mono);

        if (hang->ranks.hosts == 1 && e->start_wall && its > end)
            end = its;
    }
    return end;
}

/*
 * Did a signal of its own fault end the process? Launchers end ranks by other signals.
 */
static bool
is_faulty(const struct experiment *e)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
                                  SIGSYS };
    const struct log_event_row *end = log_end(&e->log);
    const char *signal = end ? log_event_attr(end, "signal") : NULL;

    for (size_t i = 0; signal && i < ER_COUNT(faults); i++)
        if (atoi(signal) == faults[i])
            return true;
    return false;
}

/*
 * The only rank that ended by its own fault; RANK_NONE if there are several, or none.
 */
static u32
only_faulty(const struct mpi_hang *hang, const struct session *session)
{
    u32 found = RANK_NONE;

    for (u32 i = 0; i < hang->ranks.count; i++) {
        const struct experiment *e =
            session->experiment[hang->ranks.rank[i].experiment];

        if (!is_unfinished(e) || !is_faulty(e))
            continue;
        if (found != RANK_NONE)
            return RANK_NONE;
        found = i;
    }
    return found;
}

/*
 * Find the rank that ended first, of those that had called MPI_Init and not
 * MPI_Finalize. If all ended at once, the recorded order says nothing. But if one rank
 * ended by a fault of its own, that was the first: the launcher then killed the others.
 */
static void
find_first(struct mpi_hang *hang, const struct session *session)
{
    int64_t first = INT64_MAX, next = INT64_MAX, start = INT64_MAX;

    hang->first = RANK_NONE;
    for (u32 i = 0; i < hang->ranks.count; i++) {
        const struct rank *r = &hang->ranks.rank[i];
        const struct experiment *e = session->experiment[r->experiment];
        int64_t end = end_of(hang, session, i);
        int64_t its = mpiclocks_common(&hang->clocks, r->host, e->start_mono);

        start = its < start ? its : start;
        if (!is_unfinished(e) || e->state != EXPERIMENT_COMPLETE || end >= next)
            continue;
        next = end < first ? first : end;
        hang->first = end < first ? i : hang->first;
        first = end < first ? end : first;
    }
    if (hang->ranks.count > 1 && next != INT64_MAX && next - first < TOGETHER) {
        u32 faulty = only_faulty(hang, session);
        int64_t end = faulty == RANK_NONE ? INT64_MAX : end_of(hang, session, faulty);

        hang->first = end < first + TOGETHER ? faulty : RANK_NONE;
        first = hang->first == RANK_NONE ? first : end;
    }
    hang->first_end = first - start;
}

bool
mpihang_is_in_call(const struct mpi_hang *hang, u32 rank)
{
    for (u32 i = 0; i < hang->calls; i++)
        if (hang->call[i].rank == rank)
            return true;
    return false;
}

static int
settle(struct session *session, struct mpi_hang *hang, struct hang_scan *l)
{
    int64_t end;

    for (u32 i = 0; i < hang->ranks.count; i++) {
        const struct lane *lane = &l->lane[i];

        end = lane->lasts ? known_until(hang, session, i) : 0;
        for (u32 k = 0; k < lane->lasts; k++)
            if (add_call(session, hang, i, &lane->last[k], end) < 0)
                return -ENOMEM;
    }
    find_first(hang, session);
    return mpiblame_settle(l->blame, hang);
}

static int
scan_events(struct session *session, struct mpi_hang *hang)
{
    struct hang_scan l = { calloc((size_t)hang->ranks.count + 1, sizeof(struct lane)),
                         mpiblame_open(&hang->ranks), false };
    int ret = l.lane && l.blame ? 0 : -ENOMEM;

    if (ret == 0)
        ret = mpievents_run(session, &hang->ranks, &hang->clocks, on_event, &l);
    if (l.no_memory)
        ret = -ENOMEM;
    if (ret == 0)
        ret = settle(session, hang, &l);
    for (u32 i = 0; i < hang->ranks.count && l.lane; i++)
        free(l.lane[i].last);
    free(l.lane);
    mpiblame_close(l.blame);
    return ret;
}

int
mpihang_get(struct session *session, struct mpi_hang *out)
{
    struct mpi_hang hang = { .first = RANK_NONE };
    int ret = ranks_of(session, &hang.ranks);

    if (ret == 0)
        ret = mpiclocks_open(session, &hang.ranks, &hang.clocks);
    if (ret == 0)
        ret = scan_events(session, &hang);
    if (ret < 0)
        mpihang_free(&hang);
    else
        *out = hang;
    return ret;
}

void
mpihang_free(struct mpi_hang *hang)
{
    ranks_free(&hang->ranks);
    mpiclocks_free(&hang->clocks);
    free(hang->call);
    free(hang->wait);
    free(hang->cycle);
    memset(hang, 0, sizeof(*hang));
}
