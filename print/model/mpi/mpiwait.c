/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiwait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/model/bins.h"
#include "print/model/stacks.h"

/*
 * Sums by bin_key: object = who << 32 | whom, node = who's, other = whom's (the
 * experiments' own ids), what = the pattern.
 */
struct waiting {
    struct bins bins;
    const struct mpi_waits *of; /* ranks and clocks */
};

enum {
    PLACES_MAX = 1 << 20, /* pairs of ranks' places that are told apart */
    INEXACT = 2000,       /* ns: moments of one host may be wrong by */
};

static void
add(struct waiting *w, const struct bin_key *key, int64_t time)
{
    if (time > 0)
        bins_add(&w->bins, key, 0, (u64)time, 0);
}

/* Of what a call has waited for as long, the message that it lacks counts first. */
static bool
is_first(enum mpi_pattern pattern, u32 whom, const struct mpi_span *span)
{
    if ((u32)pattern != span->pattern)
        return (u32)pattern < span->pattern;
    return whom < span->whom;
}

/* A call has waited for one of its operations until `until`. */
static void
tell_span(struct mpi_span *span, enum mpi_pattern pattern, int64_t until,
          const struct mpi_side *whom)
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
}

static void
on_sent(void *context, const struct mpi_message *m)
{
    struct mpi_span *span = m->send.span;

    (void)context;
    /* One that had ended before did not wait: the message was kept for the receiver. */
    if (m->receive.begin <= span->end)
        tell_span(span, MPI_LATE_RECEIVER, m->receive.begin, &m->receive);
}

static void
on_message(void *context, const struct mpi_message *m)
{
    if (m->receive.span)
        tell_span(m->receive.span, MPI_LATE_SENDER, m->send.begin, &m->send);
    if (m->receive.probe)
        tell_span(m->receive.probe, MPI_LATE_SENDER, m->send.begin, &m->send);
    if (m->send.span)
        on_sent(context, m);
}

static void
on_span(void *context, const struct mpi_span *span)
{
    struct bin_key key = { (u64)span->rank << 32 | span->whom, span->node,
                           span->whom_node, span->pattern, 0 };

    if (span->passes)
        add(context, &key, span->wait);
}

/* The pattern of a collective call; MPI_PATTERNS = it makes nobody wait. */
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
    default:
        return MPI_PATTERNS;
    }
}

/* Had one left before the other came? It has not waited for it then. */
static bool
had_left(const struct waiting *w, const struct mpi_entry *who,
         const struct mpi_entry *whom)
{
    const struct rank *rank = w->of->ranks.rank;
    const struct mpi_clock *host = w->of->clocks.host;
    u32 one = rank[who->rank].host, other = rank[whom->rank].host;
    double inexact = INEXACT;

    if (one != other)
        inexact += host[one].error + host[other].error;
    return (double)(whom->begin - who->end) > inexact;
}

/* Does `b` come later? Of those that come together, the lowest rank counts. */
static bool
is_later(const struct mpi_entry *a, const struct mpi_entry *b)
{
    return b->begin > a->begin || (b->begin == a->begin && b->rank < a->rank);
}

static void
wait_for(u32 pattern, const struct mpi_entry *who, const struct mpi_entry *whom)
{
    const struct mpi_side side = { .begin = whom->begin, .rank = whom->rank,
                                   .node = whom->node };

    if (who->rank != whom->rank)
        tell_span(who->span, pattern, whom->begin, &side);
}

static int
by_place(const void *a, const void *b)
{
    const struct mpi_entry *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Each waits for the last of those before it. */
static void
on_prefix(struct waiting *w, const struct mpi_collective *k)
{
    struct mpi_entry *entry = calloc(k->count + 1, sizeof(*entry));
    u32 last = 0;

    if (!entry) {
        w->bins.no_memory = true;
        return;
    }
    memcpy(entry, k->entry, k->count * sizeof(*entry));
    qsort(entry, k->count, sizeof(*entry), by_place);
    for (u32 i = 1; i < k->count; i++) {
        wait_for(MPI_EARLY_SCAN, &entry[i], &entry[last]);
        if (is_later(&entry[last], &entry[i]))
            last = i;
    }
    free(entry);
}

/* The last that came, or that came before `who` had left. */
static const struct mpi_entry *
last_for(const struct waiting *w, const struct mpi_collective *k,
         const struct mpi_entry *last, const struct mpi_entry *who)
{
    if (!had_left(w, who, last))
        return last;
    last = who;
    for (u32 i = 0; i < k->count; i++)
        if (!had_left(w, who, &k->entry[i]) && is_later(last, &k->entry[i]))
            last = &k->entry[i];
    return last;
}

static void
on_collective(void *context, const struct mpi_collective *k)
{
    u32 pattern = pattern_of(k->kind);
    const struct mpi_entry *last = k->entry, *root = mpimatch_root(k);
    struct waiting *w = context;

    for (u32 i = 1; i < k->count; i++)
        if (is_later(last, &k->entry[i]))
            last = &k->entry[i];
    if (pattern == MPI_EARLY_SCAN)
        on_prefix(w, k);
    else if (pattern == MPI_EARLY_REDUCE && root)
        wait_for(pattern, root, last_for(w, k, last, root));
    for (u32 i = 0; i < k->count; i++) {
        const struct mpi_entry *who = &k->entry[i];

        if (pattern == MPI_WAIT_BARRIER || pattern == MPI_WAIT_ALL)
            wait_for(pattern, who, last_for(w, k, last, who));
        else if (pattern == MPI_LATE_BROADCAST && root && !had_left(w, who, root))
            wait_for(pattern, who, root);
    }
}

static int
compare(const struct mpi_wait *x, const struct mpi_wait *y)
{
    if (x->pattern != y->pattern)
        return x->pattern < y->pattern ? -1 : 1;
    if (x->who != y->who)
        return x->who < y->who ? -1 : 1;
    if (x->whom != y->whom)
        return x->whom < y->whom ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->whom_node < y->whom_node ? -1 : x->whom_node > y->whom_node;
}

static int
by_all(const void *a, const void *b)
{
    return compare(a, b);
}

static int
by_time(const void *a, const void *b)
{
    const struct mpi_wait *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    return compare(x, y);
}

/* The session's node of a rank's; 0 where places are too many to be told apart. */
static int
node_of(struct session *session, const struct mpi_waits *out, u32 rank, u32 id,
        u32 *node)
{
    *node = 0;
    if (id == BINS_REST)
        return 0;
    return stacks_of(session, out->ranks.rank[rank].experiment, id, node);
}

static int
take(struct session *session, struct mpi_waits *out, const struct bin *bin)
{
    struct mpi_wait *wait = &out->wait[out->count];

    *wait = (struct mpi_wait){
        .pattern = bin->key.what,
        .who = (u32)(bin->key.object >> 32),
        .whom = (u32)bin->key.object,
        .count = bin->count,
        .time = bin->time,
        .longest = bin->most,
    };
    if (node_of(session, out, wait->who, bin->key.node, &wait->node) < 0 ||
        node_of(session, out, wait->whom, bin->key.other, &wait->whom_node) < 0)
        return -ENOMEM;
    out->count++;
    return 0;
}

/* Nodes of an experiment that are one stack of the session become one row. */
static void
settle(struct mpi_waits *out)
{
    u32 kept = 0;

    if (out->count)
        qsort(out->wait, out->count, sizeof(*out->wait), by_all);
    for (u32 i = 0; i < out->count; i++) {
        const struct mpi_wait *more = &out->wait[i];
        struct mpi_wait *to = &out->wait[kept ? kept - 1 : 0];

        if (!kept || compare(to, more)) {
            out->wait[kept++] = *more;
            continue;
        }
        to->count += more->count;
        to->time += more->time;
        if (more->longest > to->longest)
            to->longest = more->longest;
    }
    out->count = kept;
    if (kept)
        qsort(out->wait, kept, sizeof(*out->wait), by_time);
}

static u64
dropped_of(const struct experiment *e)
{
    u64 dropped = 0;

    for (u32 i = 0; i < e->threads.count; i++)
        dropped += e->threads.row[i].trace_dropped[TRACE_mpi];
    return dropped;
}

static int
find_waits(struct session *session, struct mpi_waits *out)
{
    struct waiting w = { .bins = { .limit = PLACES_MAX }, .of = out };
    const struct mpi_match_sink sink = { on_message, on_sent, on_span, on_collective,
                                         &w };
    int ret = mpimatch_run(session, &out->ranks, &out->clocks, &sink, &out->unmatched);

    if (w.bins.no_memory)
        ret = -ENOMEM;
    out->wait = calloc((size_t)w.bins.count + 1, sizeof(*out->wait));
    if (!out->wait)
        ret = -ENOMEM;
    for (u32 i = 0; i < w.bins.count && ret == 0; i++)
        ret = take(session, out, &w.bins.bin[i]);
    bins_free(&w.bins);
    if (ret == 0)
        settle(out);
    return ret;
}

int
mpiwaits_get(struct session *session, struct mpi_waits *out)
{
    struct mpi_waits waits = { 0 };
    struct record_source source;
    int ret = ranks_of(session, &waits.ranks);

    for (u32 i = 0; i < session->nexperiments; i++)
        waits.recorded |= experiment_asks(session->experiment[i], FILE_mpitrace);
    for (u32 i = 0; i < waits.ranks.count && ret == 0; i++) {
        struct experiment *e = session->experiment[waits.ranks.rank[i].experiment];

        waits.recorded |= experiment_source(e, FILE_mpitrace, &source) == 0;
        waits.dropped += dropped_of(e);
    }
    if (ret == 0)
        ret = mpiclocks_open(session, &waits.ranks, &waits.clocks);
    if (ret == 0)
        ret = mpiclocks_align(session, &waits.ranks, &waits.clocks);
    if (ret == 0)
        ret = find_waits(session, &waits);
    if (ret < 0)
        mpiwaits_free(&waits);
    else
        *out = waits;
    return ret;
}

void
mpiwaits_free(struct mpi_waits *waits)
{
    ranks_free(&waits->ranks);
    mpiclocks_free(&waits->clocks);
    free(waits->wait);
    memset(waits, 0, sizeof(*waits));
}
