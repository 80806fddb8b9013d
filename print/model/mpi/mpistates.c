/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpistates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/mpi/mpisyncs.h"
#include "print/model/mpi/mpigather.h"
#include "print/model/mpi/mpimatch.h"

enum {
    INEXACT = 2000, /* ns: by how much moments of one host may be wrong */
};

struct judge {
    const struct ranks *ranks;
    const struct mpi_clocks *clocks;
    const struct mpi_states_sink *sink;
    struct mpi_syncs *syncs; /* NULL = not wanted */
    bool no_memory;
};

/*
 * If a call has waited equally long for two things, choose the lower pattern, then the
 * lower rank.
 */
static bool
is_first(enum mpi_pattern pattern, u32 whom, const struct mpi_span *span)
{
    if ((u32)pattern != span->pattern)
        return (u32)pattern < span->pattern;
    return whom < span->whom;
}

/*
 * A call waited until `until` for one of its operations. Its span keeps the longest
 * wait.
 */
static void
record_wait(const struct judge *j, struct mpi_span *span, enum mpi_pattern pattern,
            int64_t until, const struct mpi_side *whom)
{
    int64_t end = until < span->end ? until : span->end;
    int64_t wait = end - span->begin;

    if (wait < span->wait || wait <= 0 ||
        (wait == span->wait && !is_first(pattern, whom->rank, span)))
        return;
    span->wait = wait;
    span->pattern = pattern;
    span->whom = whom->rank;
    span->whom_node = whom->node;
    if (j->syncs)
        span->since = mpisyncs_before(j->syncs, span->rank, whom->rank, span->begin);
}

static void
on_sent(void *context, const struct mpi_message *m)
{
    struct mpi_span *span = m->send.span;

    /*
     * A send that ended before the receive began did not wait: MPI had buffered the
     * message.
     */
    if (m->receive.begin <= span->end)
        record_wait(context, span, MPI_LATE_RECEIVER, m->receive.begin, &m->receive);
}

static void
on_message(void *context, const struct mpi_message *m)
{
    const struct mpi_span *span = m->receive.span;
    int64_t moment = m->send.begin;
    struct judge *j = context;

    if (m->receive.span)
        record_wait(j, m->receive.span, MPI_LATE_SENDER, m->send.begin, &m->send);
    if (m->receive.probe)
        record_wait(j, m->receive.probe, MPI_LATE_SENDER, m->send.begin, &m->send);
    if (m->send.span)
        on_sent(j, m);
    if (!j->syncs || m->send.rank == m->receive.rank)
        return;
    moment = m->receive.begin > moment ? m->receive.begin : moment;
    if (mpisyncs_pair(j->syncs, m->send.rank, m->receive.rank, moment,
                      span ? span->begin : moment) < 0)
        j->no_memory = true;
}

static void
on_span(void *context, const struct mpi_span *span)
{
    const struct judge *j = context;

    if (span->wait > 0)
        j->sink->wait(j->sink->context, span);
}

static void
on_aside(void *context, enum mpi_aside what, struct mpi_span *span, u32 rank,
         const struct mpi_side *whom)
{
    static const enum mpi_pattern patterns[] = {
        [MPI_ASIDE_POST] = MPI_LATE_POST,
        [MPI_ASIDE_COMPLETE] = MPI_EARLY_WAIT,
        [MPI_ASIDE_LOCK] = MPI_LOCK_CONTENTION,
        [MPI_ASIDE_PROGRESS] = MPI_NO_PROGRESS,
    };
    struct judge *j = context;
    int64_t moment;

    if (rank == whom->rank || !span)
        return;
    record_wait(j, span, patterns[what], whom->begin, whom);
    moment = whom->begin > span->begin ? whom->begin : span->begin;
    if (j->syncs &&
        mpisyncs_pair(j->syncs, whom->rank, rank, moment, span->begin) < 0)
        j->no_memory = true;
}

static void
on_event(void *context, u32 rank, const struct mpi_event *e)
{
    const struct judge *j = context;

    j->sink->event(j->sink->context, rank, e);
}

/*
 * The pattern of waits in collective calls of that kind; MPI_PATTERNS = nobody waits.
 */
static u32
pattern_of(u32 kind)
{
    switch (kind) {
    case MPI_KIND_BARRIER:
        return MPI_WAIT_BARRIER;
    case MPI_KIND_TO_ALL:
    case MPI_KIND_COMM:
    case MPI_KIND_RMA_SYNC:
    case MPI_KIND_FILE_ALL:
        return MPI_WAIT_ALL;
    case MPI_KIND_FROM_ONE:
        return MPI_LATE_BROADCAST;
    case MPI_KIND_TO_ONE:
        return MPI_EARLY_REDUCE;
    case MPI_KIND_PREFIX:
        return MPI_EARLY_SCAN;
    case MPI_KIND_NEIGHBOR:
        return MPI_LATE_NEIGHBOR;
    default:
        return MPI_PATTERNS;
    }
}

/*
 * Had `who` left the call before `whom` entered it? Then it has not waited for `whom`.
 */
static bool
had_left(const struct judge *j, const struct mpi_entry *who,
         const struct mpi_entry *whom)
{
    const struct rank *rank = j->ranks->rank;
    const struct mpi_clock *host = j->clocks->host;
    u32 one = rank[who->rank].host, other = rank[whom->rank].host;
    double inexact = INEXACT;

    if (one != other)
        inexact += host[one].error + host[other].error;
    return (double)(whom->begin - who->end) > inexact;
}

/*
 * Does `b` enter after `a`? If both enter at once, the one with the lower rank counts
 * as later.
 */
static bool
is_later(const struct mpi_entry *a, const struct mpi_entry *b)
{
    return b->begin > a->begin || (b->begin == a->begin && b->rank < a->rank);
}

static void
wait_for(const struct judge *j, u32 pattern, const struct mpi_entry *who,
         const struct mpi_entry *whom)
{
    const struct mpi_side side = { .begin = whom->begin, .rank = whom->rank,
                                   .node = whom->node };

    if (who->rank != whom->rank)
        record_wait(j, who->span, pattern, whom->begin, &side);
}

static int
by_place(const void *a, const void *b)
{
    const struct mpi_entry *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/*
 * MPI_Scan and MPI_Exscan: each rank waits for the last to enter of those at lower
 * places.
 */
static void
on_prefix(struct judge *j, const struct mpi_collective *k)
{
    struct mpi_entry *entry = calloc(k->count + 1, sizeof(*entry));
    u32 last = 0;

    if (!entry) {
        j->no_memory = true;
        return;
    }
    memcpy(entry, k->entry, k->count * sizeof(*entry));
    qsort(entry, k->count, sizeof(*entry), by_place);
    for (u32 i = 1; i < k->count; i++) {
        wait_for(j, MPI_EARLY_SCAN, &entry[i], &entry[last]);
        if (is_later(&entry[last], &entry[i]))
            last = i;
    }
    free(entry);
}

/*
 * For which rank `who` waited: for the last to enter; if `who` had left before that,
 * for the last of those that entered before it left.
 */
static const struct mpi_entry *
last_for(const struct judge *j, const struct mpi_collective *k,
         const struct mpi_entry *last, const struct mpi_entry *who)
{
    if (!had_left(j, who, last))
        return last;
    last = who;
    for (u32 i = 0; i < k->count; i++)
        if (!had_left(j, who, &k->entry[i]) && is_later(last, &k->entry[i]))
            last = &k->entry[i];
    return last;
}

static int
by_rank(const void *a, const void *b)
{
    const struct mpi_entry *x = a, *y = b;

    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* `to` needed `from`: record that they were in step as soon as both had entered. */
static void
step_pair(struct judge *j, const struct mpi_entry *from, const struct mpi_entry *to)
{
    int64_t moment = from->begin > to->begin ? from->begin : to->begin;

    if (j->syncs &&
        mpisyncs_pair(j->syncs, from->rank, to->rank, moment, to->begin) < 0)
        j->no_memory = true;
}

/*
 * In a neighbourhood collective: of the neighbours that send to `who`, the last one
 * that entered before `who` left; NULL = none. Records each as in step with `who`.
 */
static const struct mpi_entry *
last_neighbor(struct judge *j, const struct mpi_entry *entry, u32 count,
              const struct mpi_entry *who)
{
    const struct mpi_entry *last = NULL;

    for (u32 i = 0; i < who->sources; i++) {
        const struct mpi_entry wanted = { .rank = who->source[i] };
        const struct mpi_entry *e =
            bsearch(&wanted, entry, count, sizeof(*entry), by_rank);

        if (!e || e->rank == who->rank || had_left(j, who, e))
            continue;
        if (!last || is_later(last, e))
            last = e;
        step_pair(j, e, who);
    }
    return last;
}

/* Neighbourhood collectives: each rank waits for those neighbours that send to it. */
static void
on_neighbors(struct judge *j, const struct mpi_collective *k)
{
    struct mpi_entry *entry = calloc(k->count + 1, sizeof(*entry));

    if (!entry) {
        j->no_memory = true;
        return;
    }
    memcpy(entry, k->entry, k->count * sizeof(*entry));
    qsort(entry, k->count, sizeof(*entry), by_rank);
    for (u32 i = 0; i < k->count; i++) {
        const struct mpi_entry *last = last_neighbor(j, entry, k->count, &entry[i]);

        if (last)
            wait_for(j, MPI_LATE_NEIGHBOR, &entry[i], last);
    }
    free(entry);
}

/*
 * A call on an intercommunicator: the last rank to enter in each group, and the root.
 */
struct sides {
    const struct mpi_entry *last[2], *root; /* NULL = nobody */
};

/* The last rank of the other group that entered before `who` left; or NULL. */
static const struct mpi_entry *
last_remote(const struct judge *j, const struct mpi_collective *k,
            const struct sides *sides, const struct mpi_entry *who)
{
    const struct mpi_entry *found = sides->last[!who->side];

    if (!found || !had_left(j, who, found))
        return found;
    found = NULL;
    for (u32 i = 0; i < k->count; i++) {
        const struct mpi_entry *e = &k->entry[i];

        if (e->side != who->side && !had_left(j, who, e) &&
            (!found || is_later(found, e)))
            found = e;
    }
    return found;
}

/* In a call on an intercommunicator: the rank for which `who` waits; NULL = none. */
static const struct mpi_entry *
needed_remote(const struct judge *j, const struct mpi_collective *k, u32 pattern,
              const struct sides *sides, const struct mpi_entry *who)
{
    const struct mpi_entry *root = sides->root;

    if (pattern == MPI_LATE_BROADCAST)
        return root && who->side != root->side && !had_left(j, who, root) ? root : NULL;
    if (pattern == MPI_EARLY_REDUCE && who != root)
        return NULL;
    return last_remote(j, k, sides, who);
}

/* A call on an intercommunicator: a rank waits only for ranks of the other group. */
static void
on_inter(struct judge *j, const struct mpi_collective *k, u32 pattern)
{
    struct sides sides = { .root = mpigather_root(k) };

    for (u32 i = 0; i < k->count; i++) {
        const struct mpi_entry *e = &k->entry[i];
        const struct mpi_entry **side = &sides.last[e->side];

        if (!*side || is_later(*side, e))
            *side = e;
    }
    for (u32 i = 0; i < k->count && pattern < MPI_PATTERNS; i++) {
        const struct mpi_entry *who = &k->entry[i];
        const struct mpi_entry *needed = needed_remote(j, k, pattern, &sides, who);

        if (!needed)
            continue;
        wait_for(j, pattern, who, needed);
        step_pair(j, needed, who);
    }
}

/* Record which ranks of a collective call, which all have entered, were in step. */
static void
record_steps(struct judge *j, const struct mpi_collective *k, u32 pattern,
             const struct mpi_entry *last, const struct mpi_entry *root)
{
    if (pattern == MPI_WAIT_BARRIER || pattern == MPI_WAIT_ALL)
        mpisyncs_all(j->syncs, k, last->begin);
    for (u32 i = 0; root && i < k->count; i++) {
        const struct mpi_entry *other = &k->entry[i];
        int64_t moment = other->begin > root->begin ? other->begin : root->begin;
        bool from = pattern == MPI_LATE_BROADCAST;

        if (other != root && mpisyncs_pair(j->syncs, from ? root->rank : other->rank,
                                           from ? other->rank : root->rank, moment,
                                           (from ? other : root)->begin) < 0)
            j->no_memory = true;
    }
}

static void
on_collective(void *context, const struct mpi_collective *k)
{
    u32 pattern = pattern_of(k->kind);
    const struct mpi_entry *last = k->entry, *root = mpigather_root(k);
    struct judge *j = context;

    /*
     * Making a communicator from an intercommunicator needs all ranks of both groups.
     */
    if (k->inter && k->kind != MPI_KIND_COMM) {
        on_inter(j, k, pattern);
        return;
    }
    if (pattern == MPI_LATE_NEIGHBOR) {
        on_neighbors(j, k);
        return;
    }
    for (u32 i = 1; i < k->count; i++)
        if (is_later(last, &k->entry[i]))
            last = &k->entry[i];
    if (pattern == MPI_EARLY_SCAN)
        on_prefix(j, k);
    else if (pattern == MPI_EARLY_REDUCE && root)
        wait_for(j, pattern, root, last_for(j, k, last, root));
    for (u32 i = 0; i < k->count; i++) {
        const struct mpi_entry *who = &k->entry[i];

        if (pattern == MPI_WAIT_BARRIER || pattern == MPI_WAIT_ALL)
            wait_for(j, pattern, who, last_for(j, k, last, who));
        else if (pattern == MPI_LATE_BROADCAST && root && !had_left(j, who, root))
            wait_for(j, pattern, who, root);
    }
    if (j->syncs)
        record_steps(j, k, pattern, last, root);
}

int
mpistates_run(struct session *session, const struct ranks *ranks,
              const struct mpi_clocks *clocks, const struct mpi_states_sink *sink,
              struct mpi_unmatched *unmatched)
{
    struct judge j = { .ranks = ranks, .clocks = clocks, .sink = sink };
    const struct mpi_match_sink matches = {
        on_message, on_sent,  on_span,
        on_collective, on_aside, sink->event ? on_event : NULL, &j
    };
    int ret;

    j.syncs = sink->steps ? mpisyncs_open(ranks->count) : NULL;
    if (sink->steps && !j.syncs)
        return -ENOMEM;
    ret = mpimatch_run(session, ranks, clocks, &matches, unmatched);
    mpisyncs_close(j.syncs);
    return j.no_memory ? -ENOMEM : ret;
}
