/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpimatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/mpi/mpievents.h"
#include "print/model/mpi/mpigather.h"
#include "print/model/mpi/mpigroups.h"
#include "print/model/mpi/mpipending.h"
#include "print/model/mpi/mpiqueue.h"
#include "print/model/mpi/mpireceives.h"
#include "print/model/mpi/mpiwindows.h"

/* What is known of one rank. */
struct lane {
    u32 world;
    struct mpi_groups groups;
    struct mpi_receives receives;
    struct mpi_sendings sendings;
    struct mpi_probes probes;
    struct mpi_begins begins;
    struct mpi_span *span; /* of the current call; NULL = none */
    u32 thread;            /* of that call */
};

struct matcher {
    const struct ranks *ranks;
    const struct mpi_match_sink *sink;
    struct lane *lane; /* by rank */
    struct mpi_queues *queues;
    struct mpi_gather *gather;
    struct mpi_match_sink whole; /* the sink of `gather` */
    struct mpi_windows *windows; /* NULL = there are none, or they are not wanted */
    struct mpi_windows_sink window_sink;
    struct mpi_unmatched unmatched;
    bool no_memory;
};

static void
release(struct matcher *m, struct mpi_span *span)
{
    if (!span || --span->pending)
        return;
    if (m->sink->span)
        m->sink->span(m->sink->context, span);
    free(span);
}

/*
 * Get the span of the call in which the event happened, and count one more pending
 * operation in it. All operations that one call has completed share one span. NULL: no
 * memory.
 */
static struct mpi_span *
span_of(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct lane *lane = &m->lane[rank];
    struct mpi_span *span = lane->span;

    if (!span || lane->thread != e->thread || span->begin != e->begin ||
        span->end != e->end) {
        span = calloc(1, sizeof(*span));
        if (!span) {
            m->no_memory = true;
            return NULL;
        }
        release(m, lane->span);
        *span = (struct mpi_span){ .begin = e->begin, .end = e->end, .rank = rank,
                                   .node = e->node, .thread = e->thread,
                                   .passes = e->passes, .pending = 1,
                                   .since = INT64_MIN };
        lane->span = span;
        lane->thread = e->thread;
    }
    span->pending++;
    return span;
}

static u64
key_of(const struct lane *lane, u32 comm)
{
    const struct mpi_group *group = mpigroups_find(&lane->groups, comm);

    return group ? group->key : 0;
}

/* Both sides of a message are known: report it. */
static void
report_match(struct matcher *m, struct mpi_parcel *parcel)
{
    if (m->sink->message)
        m->sink->message(m->sink->context, &parcel->message);
    release(m, parcel->message.receive.span);
    release(m, parcel->message.receive.probe);
    parcel->message.receive.span = parcel->message.receive.probe = NULL;
    release(m, parcel->message.send.span);
    parcel->message.send.span = NULL;
    mpipending_drop_sending(parcel);
}

/*
 * Add one side of a message. Returns the parcel if it stays, because the other side or
 * the end of the send is not known yet; else NULL.
 */
static struct mpi_parcel *
offer(struct matcher *m, const struct mpi_envelope *envelope, bool send,
      const struct mpi_side *side, bool open)
{
    struct mpi_parcel *parcel = mpiqueue_pop(m->queues, envelope, send);
    bool met = parcel != NULL;

    if (!parcel)
        parcel = calloc(1, sizeof(*parcel));
    if (!parcel) {
        m->no_memory = true;
        release(m, side->span);
        release(m, side->probe);
        return NULL;
    }
    *(send ? &parcel->message.send : &parcel->message.receive) = *side;
    parcel->open |= open;
    if (!met) {
        if (mpiqueue_put(m->queues, envelope, send, parcel) < 0)
            m->no_memory = true;
        return parcel;
    }
    report_match(m, parcel);
    return open ? parcel : NULL;
}

/* A send has begun; `open`: a later record will report its end. */
static void
on_send(struct matcher *m, u32 rank, const struct mpi_event *e, u32 node,
        struct mpi_span *span, bool open)
{
    struct lane *lane = &m->lane[rank];
    struct mpi_envelope envelope = { key_of(lane, e->comm), rank,
                                     mpievents_peer(m->ranks, rank, e->peer), e->tag };
    struct mpi_side side = { e->what == MPI_EVENT_DONE ? e->posted : e->begin, rank,
                             node, span, NULL };
    struct mpi_parcel *parcel;

    if (envelope.to == RANK_NONE || !envelope.comm) {
        m->unmatched.sends += e->peer != 0;
        release(m, span);
        return;
    }
    parcel = offer(m, &envelope, true, &side, open);
    if (parcel && open && mpipending_add_sending(&lane->sendings, e->begun, parcel) < 0)
        m->no_memory = true;
}

/* A send whose beginning was reported before has ended. */
static void
on_sent(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct lane *lane = &m->lane[rank];
    struct mpi_parcel *parcel = mpipending_pop_sending(&lane->sendings, e->begun);

    if (!parcel) {
        on_send(m, rank, e, e->posted_node, e->over ? NULL : span_of(m, rank, e),
                false);
        return;
    }
    parcel->message.send.span = e->over ? NULL : span_of(m, rank, e);
    if (parcel->queued)
        return;
    if (parcel->message.send.span && m->sink->sent)
        m->sink->sent(m->sink->context, &parcel->message);
    release(m, parcel->message.send.span);
    mpipending_drop_sending(parcel);
}

/* A call has waited for a message without receiving it (MPI_Probe). */
static void
on_probe(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    const struct mpi_probe probe = { e->begun, e->comm, e->peer, e->tag,
                                     span_of(m, rank, e) };
    struct mpi_span *gone = NULL;

    if (mpipending_add_probe(&m->lane[rank].probes, &probe, &gone) < 0)
        m->no_memory = true;
    release(m, gone);
}

/*
 * Get the span of the first probe for the message that a receive got, or NULL. All
 * probes for that message are removed.
 */
static struct mpi_span *
remove_probes(struct matcher *m, struct lane *lane, const struct mpi_receive *r)
{
    const struct mpi_probe wanted = { r->begun, r->comm, r->peer, r->tag, NULL };
    struct mpi_span *first = mpipending_pop_probe(&lane->probes, &wanted), *more;

    while (first && (more = mpipending_pop_probe(&lane->probes, &wanted)))
        release(m, more);
    return first;
}

/* A receive is complete: add it as one side of a message. See mpireceives.h. */
static void
deliver(void *context, u32 rank, struct mpi_receive *r)
{
    struct matcher *m = context;
    struct lane *lane = &m->lane[rank];
    struct mpi_envelope envelope = { key_of(lane, r->comm),
                                     mpievents_peer(m->ranks, rank, r->peer), rank,
                                     r->tag };

    if (lane->probes.count)
        r->side.probe = remove_probes(m, lane, r);
    if (envelope.from == RANK_NONE || !envelope.comm) {
        m->unmatched.receives += r->peer != 0;
        release(m, r->side.span);
        release(m, r->side.probe);
        return;
    }
    offer(m, &envelope, false, &r->side, false);
}

static void
on_receive_begun(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    if (!mpireceives_add(&m->lane[rank].receives, e->begun, e->comm, e->peer, e->tag))
        m->no_memory = true;
}

/* A receive has ended, with the message that the event describes. */
static void
on_received(struct matcher *m, u32 rank, const struct mpi_event *e, u32 node)
{
    struct mpi_receives *receives = &m->lane[rank].receives;
    struct mpi_receive *r = mpireceives_find(receives, e->begun, e->comm, e->peer,
                                             e->tag);
    struct mpi_span *span;

    if (!r)
        r = mpireceives_add(receives, e->begun, e->comm, e->peer, e->tag);
    span = span_of(m, rank, e);
    if (!r || !span) {
        m->no_memory = true;
        release(m, span);
        return;
    }
    r->peer = e->peer;
    r->tag = e->tag;
    r->side = (struct mpi_side){ e->posted, rank, node, span, NULL };
    mpireceives_complete(receives, r);
}

/* A receive has ended without a message, or with one from another world. */
static void
on_received_nothing(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct mpi_receives *receives = &m->lane[rank].receives;
    struct mpi_receive *r = mpireceives_find(receives, e->begun, e->comm, 0, 0);

    if (r)
        mpireceives_drop(receives, r);
}

static void
on_comm(struct matcher *m, struct lane *lane, const struct mpi_event *e)
{
    if (mpigroups_add(&lane->groups, e) < 0)
        m->no_memory = true;
    if (e->kind != COMM_WINDOW || m->windows || !m->sink->aside)
        return;
    m->windows = mpiwindows_open(m->ranks->count, &m->window_sink);
    if (!m->windows)
        m->no_memory = true;
}

static void
on_partner(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct lane *lane = &m->lane[rank];
    u32 partner = mpievents_peer(m->ranks, rank, e->peer);
    int ret = 0;

    if (!e->call)
        ret = mpigroups_add_source(&lane->groups, e->comm, partner);
    else if (m->windows)
        ret = mpiwindows_partner(m->windows, rank, e->comm, e->call, e->comm_rank,
                                 partner);
    if (ret < 0)
        m->no_memory = true;
}

/* A call on a window. */
static void
on_window(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct lane *lane = &m->lane[rank];
    const struct mpi_group *group = mpigroups_find(&lane->groups, e->comm);
    struct mpi_window_call call = { .comm = e->comm, .rank = rank, .call = e->call,
                                    .kind = e->kind };

    if (!m->windows || e->error || !group || group->kind != COMM_WINDOW)
        return;
    call.window = group->key;
    call.peer = mpievents_peer(m->ranks, rank, e->peer);
    call.span = span_of(m, rank, e);
    if (call.span && mpiwindows_call(m->windows, &call) < 0)
        m->no_memory = true;
    release(m, call.span);
}

/* Add a rank's part of a collective call. The times of `entry` are set already. */
static void
on_entry(struct matcher *m, const struct mpi_begun *b, const struct mpi_event *e,
         struct mpi_entry *entry)
{
    const struct lane *lane = &m->lane[entry->rank];
    struct mpi_group *group = mpigroups_find(&lane->groups, b->comm);
    struct mpi_gather_key key = { key_of(lane, b->comm),
                                  group && group->joins ? RANK_NONE : lane->world,
                                  b->seq };
    struct mpi_collective call = { .kind = e->kind, .call = e->call };
    u32 root = mpievents_peer(m->ranks, entry->rank, b->peer);

    /*
     * Leave out intercommunicators in older experiments: it is not known which ranks
     * are in which group.
     */
    if (!group || (group->kind == COMM_INTER && !group->remote))
        return;
    entry->place = group->place;
    entry->side = group->side;
    entry->source = group->source;
    entry->sources = group->sources;
    group->asked = true;
    entry->gives = b->gives;
    entry->gets = e->gets;
    entry->span = span_of(m, entry->rank, e);
    call.root = root == RANK_NONE ? 0 : root + 1;
    call.inter = group->kind == COMM_INTER;
    if (entry->span && mpigather_add(m->gather, &key, group->size + group->remote,
                                     group->apart, &call, entry) < 0)
        m->no_memory = true;
}

static struct mpi_begun
begun_of(const struct mpi_event *e)
{
    return (struct mpi_begun){ e->begun, e->comm, e->seq, e->peer,
                           e->call == MPICALL_Start ? 0 : e->call, e->gives };
}

static void
on_collective(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct mpi_begun b = begun_of(e);
    struct mpi_entry entry = { .begin = e->begin, .end = e->end, .rank = rank,
                               .node = e->node };

    on_entry(m, &b, e, &entry);
}

/* A rank has begun a collective call; a later record will report its end. */
static void
on_collective_begun(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    const struct mpi_begun b = begun_of(e);

    if (mpipending_add_begun(&m->lane[rank].begins, &b) < 0)
        m->no_memory = true;
}

static void
on_collective_done(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    struct mpi_entry entry = { .begin = e->posted, .end = e->end, .rank = rank,
                               .node = e->posted_node };
    struct mpi_begun b = begun_of(e);

    if (mpipending_pop_begun(&m->lane[rank].begins, &b))
        on_entry(m, &b, e, &entry);
}

/* A collective call to which no rank's part will be added any more: pass it on. */
static void
on_whole(void *context, const struct mpi_collective *call)
{
    struct matcher *m = context;

    if (m->sink->collective)
        m->sink->collective(m->sink->context, call);
    for (u32 i = 0; i < call->count; i++)
        release(m, call->entry[i].span);
}

/* May the library make progress with other ranks' transfers during such a call? */
static bool
lets_progress(const struct er_mpicall_desc *desc)
{
    return desc->mode == MPI_MODE_BLOCK || desc->mode == MPI_MODE_BEGIN ||
           desc->kind == MPI_KIND_TEST || desc->kind == MPI_KIND_PROBE ||
           desc->kind == MPI_KIND_START;
}

static bool
is_about_window(const struct mpi_event *e)
{
    return e->kind == MPI_KIND_RMA || e->kind == MPI_KIND_RMA_SYNC ||
           e->kind == MPI_KIND_RMA_ALONE;
}

static void
on_call(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    const struct er_mpicall_desc *desc = mpicall_desc(e->call);
    bool blocks = desc && desc->mode == MPI_MODE_BLOCK;

    if (!desc || desc->mode == MPI_MODE_INIT)
        return;
    if (m->windows && lets_progress(desc))
        mpiwindows_progress(m->windows, rank, e);
    if (is_about_window(e))
        on_window(m, rank, e);
    if (e->kind == MPI_KIND_SEND || e->kind == MPI_KIND_SENDRECV)
        on_send(m, rank, e, e->node, blocks ? span_of(m, rank, e) : NULL,
                !blocks && e->kind == MPI_KIND_SEND);
    else if (e->call == MPICALL_Imrecv)
        return; /* it was begun by what probed for it, which its end tells */
    else if (e->kind == MPI_KIND_RECV && !blocks)
        on_receive_begun(m, rank, e);
    else if (e->kind == MPI_KIND_RECV && e->call != MPICALL_Mrecv && e->peer)
        on_received(m, rank, e, e->node);
    else if (e->kind == MPI_KIND_PROBE && blocks && e->peer)
        on_probe(m, rank, e);
    else if (e->call == MPICALL_Cancel || e->call == MPICALL_Request_free)
        mpireceives_doubt(&m->lane[rank].receives); /* they may never end */
    else if (e->seq && blocks)
        on_collective(m, rank, e);
    else if (e->seq)
        on_collective_begun(m, rank, e);
}

/* A persistent operation is begun. */
static void
on_begun(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    const struct er_mpicall_desc *desc = mpicall_desc(e->call);

    if (desc && desc->kind == MPI_KIND_SEND)
        on_send(m, rank, e, e->node, NULL, true);
    else if (desc && desc->kind == MPI_KIND_RECV)
        on_receive_begun(m, rank, e);
    else if (e->seq)
        on_collective_begun(m, rank, e);
}

static void
on_done(struct matcher *m, u32 rank, const struct mpi_event *e)
{
    if (m->lane[rank].begins.count)
        on_collective_done(m, rank, e);
    if (!e->peer && e->kind == MPI_KIND_RECV)
        on_received_nothing(m, rank, e);
    if (!e->peer)
        return;
    if (e->kind == MPI_KIND_SEND)
        on_sent(m, rank, e);
    else if (e->kind == MPI_KIND_RECV || e->kind == MPI_KIND_SENDRECV)
        on_received(m, rank, e, e->posted_node);
}

static bool
on_event(void *context, u32 rank, const struct mpi_event *e)
{
    struct matcher *m = context;

    if (m->sink->event)
        m->sink->event(m->sink->context, rank, e);
    switch (e->what) {
    case MPI_EVENT_COMM:
        on_comm(m, &m->lane[rank], e);
        break;
    case MPI_EVENT_CALL:
        on_call(m, rank, e);
        break;
    case MPI_EVENT_BEGUN:
        on_begun(m, rank, e);
        break;
    case MPI_EVENT_OPEN:
        break;
    case MPI_EVENT_PARTNER:
        on_partner(m, rank, e);
        break;
    default:
        on_done(m, rank, e);
        break;
    }
    return !m->no_memory;
}

static void
on_left(void *context, bool send, struct mpi_parcel *parcel)
{
    struct matcher *m = context;

    m->unmatched.sends += send;
    m->unmatched.receives += !send;
    release(m, parcel->message.send.span);
    release(m, parcel->message.receive.span);
    release(m, parcel->message.receive.probe);
    parcel->message.receive.probe = NULL;
    parcel->message.send.span = parcel->message.receive.span = NULL;
    mpipending_drop_sending(parcel);
}

static void
close_lane(struct matcher *m, struct lane *lane)
{
    for (u32 i = 0; i < lane->probes.count; i++)
        release(m, lane->probes.item[i].span);
    free(lane->probes.item);
    free(lane->begins.item);
    mpipending_close_sendings(&lane->sendings);
    release(m, lane->span);
    mpigroups_free(&lane->groups);
}

static void
matcher_close(struct matcher *m)
{
    for (u32 i = 0; i < m->ranks->count && m->lane; i++)
        mpireceives_close(&m->lane[i].receives);
    mpiqueue_close(m->queues, on_left, m);
    m->unmatched.collectives = mpigather_close(m->gather);
    mpiwindows_close(m->windows);
    for (u32 i = 0; i < m->ranks->count && m->lane; i++)
        close_lane(m, &m->lane[i]);
    free(m->lane);
}

static void
on_aside(void *context, enum mpi_aside what, struct mpi_span *span, u32 rank,
         const struct mpi_side *whom)
{
    struct matcher *m = context;

    m->sink->aside(m->sink->context, what, span, rank, whom);
}

static void
release_span(void *context, struct mpi_span *span)
{
    release(context, span);
}

static int
matcher_open(struct matcher *m)
{
    m->lane = calloc((size_t)m->ranks->count + 1, sizeof(*m->lane));
    m->queues = mpiqueue_open();
    m->whole = (struct mpi_match_sink){ .collective = on_whole, .context = m };
    m->gather = mpigather_open(&m->whole);
    m->window_sink = (struct mpi_windows_sink){ on_aside, release_span, m };
    if (!m->lane || !m->queues || !m->gather)
        return -ENOMEM;
    for (u32 i = 0; i < m->ranks->count; i++) {
        struct lane *lane = &m->lane[i];

        lane->world = m->ranks->rank[i].world;
        lane->receives = (struct mpi_receives){ .rank = i, .deliver = deliver,
                                                .context = m };
    }
    return 0;
}

int
mpimatch_run(struct session *session, const struct ranks *ranks,
             const struct mpi_clocks *clocks, const struct mpi_match_sink *sink,
             struct mpi_unmatched *unmatched)
{
    struct matcher m = { .ranks = ranks, .sink = sink };
    int ret = matcher_open(&m);

    if (ret == 0)
        ret = mpievents_run(session, ranks, clocks, on_event, &m);
    matcher_close(&m);
    if (m.no_memory)
        ret = -ENOMEM;
    if (ret == 0 && unmatched)
        *unmatched = m.unmatched;
    return ret;
}
