/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiblame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/model/mpi/mpipending.h"

enum { COMMS_MAX = 1 << 20 }; /* ids beyond are damage */

/* Numbers of messages from one rank to another with one communicator and tag. */
struct channel {
    struct mpi_envelope envelope;
    u64 sent, received; /* sends begun, and receives complete */
};

/* An operation that was begun and is not complete. */
struct pending {
    u64 begun;
    u32 comm, peer, tag;
    bool sends;
};

/* A communicator of one process, with its progress in collective calls. */
struct member {
    u64 key;
    u32 seq; /* of the last collective call that has returned */
    bool joins; /* its ranks are of several worlds */
    u32 place;
};

struct lane {
    struct member *member; /* by id */
    u32 members;
    struct pending *pending;
    u32 pendings, room;
};

struct mpi_blame {
    const struct ranks *ranks;
    struct lane *lane; /* by rank */
    struct channel *channel;
    u32 channels, room;
    struct hash hash;
    bool no_memory;
};

struct mpi_blame *
mpiblame_open(const struct ranks *ranks)
{
    struct mpi_blame *b = calloc(1, sizeof(*b));

    if (!b)
        return NULL;
    b->ranks = ranks;
    b->lane = calloc((size_t)ranks->count + 1, sizeof(*b->lane));
    if (b->lane)
        return b;
    free(b);
    return NULL;
}

void
mpiblame_close(struct mpi_blame *b)
{
    if (!b)
        return;
    for (u32 i = 0; i < b->ranks->count; i++) {
        free(b->lane[i].member);
        free(b->lane[i].pending);
    }
    free(b->lane);
    free(b->channel);
    hash_free(&b->hash);
    free(b);
}

static const struct member *
member_of(const struct mpi_blame *b, u32 rank, u32 comm)
{
    const struct lane *lane = &b->lane[rank];

    return comm < lane->members && lane->member[comm].key ? &lane->member[comm] : NULL;
}

struct wanted {
    const struct mpi_blame *blame;
    const struct mpi_envelope *envelope;
};

static bool
is_same(const void *context, u32 index)
{
    const struct wanted *w = context;
    const struct mpi_envelope *e = &w->blame->channel[index].envelope;

    return e->comm == w->envelope->comm && e->from == w->envelope->from &&
           e->to == w->envelope->to && e->tag == w->envelope->tag;
}

/*
 * Find the channel of an envelope; if there is none and `make`, add it. The tag 0
 * stands for all tags together. NULL: there is none, or no memory.
 */
static struct channel *
channel_of(struct mpi_blame *b, const struct mpi_envelope *e, bool make)
{
    u32 hash = (u32)hash_mix(e->comm ^ hash_mix((u64)e->from << 32 | e->to) ^
                             (u64)e->tag * 0x9e3779b97f4a7c15);
    struct wanted wanted = { b, e };
    u32 at = hash_find(&b->hash, hash, is_same, &wanted);

    if (at != HASH_NONE)
        return &b->channel[at];
    if (!make)
        return NULL;
    if (array_room(&b->channel, &b->room, b->channels + 1, sizeof(*b->channel)) < 0 ||
        hash_add(&b->hash, hash, b->channels) < 0) {
        b->no_memory = true;
        return NULL;
    }
    b->channel[b->channels] = (struct channel){ .envelope = *e };
    return &b->channel[b->channels++];
}

/*
 * Count a message that `rank` sent to e->peer or received from it: by its tag, and by
 * tag 0.
 */
static void
count(struct mpi_blame *b, u32 rank, const struct mpi_event *e, bool sends)
{
    const struct member *m = member_of(b, rank, e->comm);
    u32 peer = mpievents_peer(b->ranks, rank, e->peer);

    if (!m || peer == RANK_NONE)
        return;
    for (u32 i = 0; i < 2; i++) {
        const struct mpi_envelope envelope = { m->key, sends ? rank : peer,
                                               sends ? peer : rank, i ? 0 : e->tag };
        struct channel *c = channel_of(b, &envelope, true);

        if (c)
            *(sends ? &c->sent : &c->received) += 1;
    }
}

static void
add_pending(struct mpi_blame *b, u32 rank, const struct mpi_event *e, bool sends)
{
    struct lane *lane = &b->lane[rank];

    if (array_room(&lane->pending, &lane->room, lane->pendings + 1,
                   sizeof(*lane->pending)) < 0)
        b->no_memory = true;
    else
        lane->pending[lane->pendings++] =
            (struct pending){ e->begun, e->comm, e->peer, e->tag, sends };
}

/*
 * Remove the pending operation that has ended. Search backwards, since operations that
 * end last were mostly begun last.
 */
static void
end_pending(struct lane *lane, const struct mpi_event *e, bool sends)
{
    for (u32 i = lane->pendings; i-- > 0;) {
        const struct pending *p = &lane->pending[i];

        if (p->sends != sends || p->comm != e->comm ||
            !mpipending_near(p->begun, e->begun))
            continue;
        array_remove(lane->pending, &lane->pendings, i, sizeof(*lane->pending));
        return;
    }
}

static void
set_comm(struct mpi_blame *b, struct lane *lane, const struct mpi_event *e)
{
    if (e->comm >= COMMS_MAX)
        return;
    if (array_room_zero(&lane->member, &lane->members, e->comm + 1,
                        sizeof(*lane->member)) < 0)
        b->no_memory = true;
    else
        lane->member[e->comm] = (struct member){ .key = e->key,
                                                 .place = e->comm_rank,
                                                 .joins = e->joins };
}

static void
add_call(struct mpi_blame *b, u32 rank, const struct mpi_event *e)
{
    const struct er_mpicall_desc *desc = mpicall_desc(e->call);
    struct lane *lane = &b->lane[rank];
    bool begins = e->what == MPI_EVENT_BEGUN || (desc && desc->mode == MPI_MODE_BEGIN);

    if (!desc || (e->what == MPI_EVENT_CALL && desc->mode == MPI_MODE_INIT))
        return;
    if (e->seq && e->comm < lane->members)
        lane->member[e->comm].seq = e->seq;
    if (e->kind == MPI_KIND_SEND || e->kind == MPI_KIND_SENDRECV) {
        count(b, rank, e, true);
        if (begins && e->peer && e->kind == MPI_KIND_SEND)
            add_pending(b, rank, e, true);
    } else if (e->kind == MPI_KIND_RECV && begins) {
        add_pending(b, rank, e, false);
    } else if (e->kind == MPI_KIND_RECV && e->call != MPICALL_Mrecv) {
        count(b, rank, e, false);
    }
}

int
mpiblame_add(struct mpi_blame *b, u32 rank, const struct mpi_event *e)
{
    if (e->what == MPI_EVENT_PARTNER)
        return 0;
    if (e->what == MPI_EVENT_COMM) {
        set_comm(b, &b->lane[rank], e);
    } else if (e->what != MPI_EVENT_DONE) {
        add_call(b, rank, e);
    } else if (e->kind == MPI_KIND_SEND) {
        end_pending(&b->lane[rank], e, true);
    } else if (e->kind == MPI_KIND_RECV || e->kind == MPI_KIND_SENDRECV) {
        end_pending(&b->lane[rank], e, false);
        count(b, rank, e, false);
    }
    return b->no_memory ? -ENOMEM : 0;
}

static int
add_wait(struct mpi_hang *hang, u32 who, u32 whom)
{
    if (whom == RANK_NONE || who == whom)
        return 0;
    if (array_room(&hang->wait, &hang->wait_room, hang->waits + 1,
                   sizeof(*hang->wait)) < 0)
        return -ENOMEM;
    hang->wait[hang->waits++] = (struct mpi_blocked){ who, whom };
    return 0;
}

/*
 * Has rank `from` sent more messages that match the pending receive of `rank` than
 * `rank` has received?
 */
static bool
is_sent(struct mpi_blame *b, u32 rank, const struct pending *p, u32 from)
{
    const struct member *m = member_of(b, rank, p->comm);
    struct mpi_envelope envelope = { m ? m->key : 0, from, rank, p->tag };
    const struct channel *c = channel_of(b, &envelope, false);

    return c && c->sent > c->received;
}

/* Is rank `from` in an MPI_Sendrecv() call, or a similar one, that sends to `rank`? */
static bool
is_sending(const struct mpi_hang *hang, u32 from, u32 rank)
{
    for (u32 i = 0; i < hang->calls; i++) {
        const struct mpi_open_call *call = &hang->call[i];
        const struct er_mpicall_desc *desc = mpicall_desc(call->call);

        if (call->rank == from && desc && desc->kind == MPI_KIND_SENDRECV &&
            mpievents_peer(&hang->ranks, from, call->to) == rank)
            return true;
    }
    return false;
}

static int
blame_receive(struct mpi_blame *b, struct mpi_hang *hang, u32 rank,
              const struct pending *p, u32 *found)
{
    u32 from = mpievents_peer(b->ranks, rank, p->peer);

    if (from == RANK_NONE || is_sent(b, rank, p, from) || is_sending(hang, from, rank))
        return 0;
    ++*found;
    return add_wait(hang, rank, from);
}

/*
 * The call waits for operations that were begun before (as MPI_Wait() does). Assume
 * that it waits for those pending receives of its rank whose messages were not sent; if
 * there are none, for the pending sends.
 */
static int
blame_wait(struct mpi_blame *b, struct mpi_hang *hang, struct mpi_open_call *call)
{
    const struct lane *lane = &b->lane[call->rank];
    u32 found = 0;

    for (u32 i = 0; i < lane->pendings; i++) {
        const struct pending *p = &lane->pending[i];
        u32 before = found;

        if (!p->sends && blame_receive(b, hang, call->rank, p, &found) < 0)
            return -ENOMEM;
        if (before || !found)
            continue;
        /*
         * Report the first receive whose message was not sent as what the call waits
         * for.
         */
        call->from = p->peer;
        call->tag = p->tag;
        call->comm = p->comm;
        call->to = 0;
    }
    for (u32 i = 0; i < lane->pendings && !found; i++)
        if (lane->pending[i].sends &&
            add_wait(hang, call->rank,
                     mpievents_peer(b->ranks, call->rank, lane->pending[i].peer)) < 0)
            return -ENOMEM;
    return 0;
}

/*
 * Has the rank entered the collective call with the number `seq` of that communicator?
 */
static bool
has_come(const struct mpi_blame *b, const struct mpi_hang *hang, u32 rank, u64 key,
         u32 seq)
{
    const struct lane *lane = &b->lane[rank];

    for (u32 i = 0; i < lane->members; i++)
        if (lane->member[i].key == key && lane->member[i].seq >= seq)
            return true;
    for (u32 i = 0; i < hang->calls; i++) {
        const struct mpi_open_call *call = &hang->call[i];
        const struct member *m = member_of(b, call->rank, call->comm);

        if (call->rank == rank && m && m->key == key && call->seq == seq)
            return true;
    }
    return false;
}

static bool
is_member(const struct mpi_blame *b, u32 rank, u64 key)
{
    const struct lane *lane = &b->lane[rank];

    for (u32 i = 0; i < lane->members; i++)
        if (lane->member[i].key == key)
            return true;
    return false;
}

static int
blame_collective(struct mpi_blame *b, struct mpi_hang *hang,
                 const struct mpi_open_call *call)
{
    const struct er_mpicall_desc *desc = mpicall_desc(call->call);
    const struct member *m = member_of(b, call->rank, call->comm);
    u32 root = mpievents_peer(b->ranks, call->rank, call->to);
    u32 world = b->ranks->rank[call->rank].world;

    /*
     * In a call that sends to the root (MPI_Reduce), the root needs all others, and the
     * others need the root. In one that sends from the root (MPI_Bcast), the others
     * need the root, and the root needs nobody.
     */
    if (!m || desc->kind == MPI_KIND_NEIGHBOR || desc->kind == MPI_KIND_PREFIX)
        return 0;
    for (u32 i = 0; i < b->ranks->count; i++) {
        bool is_needed = desc->kind == MPI_KIND_FROM_ONE ? i == root
                         : desc->kind == MPI_KIND_TO_ONE
                             ? call->rank == root || i == root
                             : true;

        if (i == call->rank || !is_needed ||
            (!m->joins && b->ranks->rank[i].world != world) ||
            !is_member(b, i, m->key) || has_come(b, hang, i, m->key, call->seq))
            continue;
        if (add_wait(hang, call->rank, i) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int
blame(struct mpi_blame *b, struct mpi_hang *hang, struct mpi_open_call *call)
{
    const struct er_mpicall_desc *desc = mpicall_desc(call->call);
    const struct pending wanted = { .comm = call->comm, .peer = call->from,
                                    .tag = call->tag };
    u32 found = 0;

    if (!desc || desc->mode != MPI_MODE_BLOCK)
        return 0;
    switch (desc->kind) {
    case MPI_KIND_RECV:
    case MPI_KIND_PROBE:
    case MPI_KIND_SENDRECV:
        return blame_receive(b, hang, call->rank, &wanted, &found);
    case MPI_KIND_SEND:
        return add_wait(hang, call->rank,
                        mpievents_peer(b->ranks, call->rank, call->to));
    case MPI_KIND_WAIT:
        return blame_wait(b, hang, call);
    default:
        return call->seq ? blame_collective(b, hang, call) : 0;
    }
}

static int
by_who(const void *a, const void *b)
{
    const struct mpi_blocked *x = a, *y = b;

    if (x->who != y->who)
        return x->who < y->who ? -1 : 1;
    return x->whom < y->whom ? -1 : x->whom > y->whom;
}

/* Sort the waits and drop duplicates. */
static void
tidy(struct mpi_hang *hang)
{
    u32 kept = 0;

    if (hang->waits)
        qsort(hang->wait, hang->waits, sizeof(*hang->wait), by_who);
    for (u32 i = 0; i < hang->waits; i++)
        if (!kept || by_who(&hang->wait[kept - 1], &hang->wait[i]))
            hang->wait[kept++] = hang->wait[i];
    hang->waits = kept;
}

/* A depth-first search along waits. */
struct path {
    const struct mpi_hang *hang;
    u32 *first;  /* by rank: its first wait */
    u32 *at;     /* by depth: the wait that is followed */
    u32 *node;   /* by depth: the rank */
    u32 *depth;  /* by rank: its depth on the path + 1; 0 = not met, ~0 = done with */
};

/*
 * Search from `start`, depth first along waits, for a rank that is on the path already:
 * a circle of waits. Returns the depth of that rank on the path; -1 = there is none.
 */
static int64_t
follow(struct path *p, u32 start, u32 *end)
{
    u32 depth = 0;

    p->node[0] = start;
    p->at[0] = p->first[start];
    p->depth[start] = 1;
    for (;;) {
        u32 who = p->node[depth], whom;

        if (p->at[depth] == p->first[who + 1]) {
            p->depth[who] = ~0u;
            if (!depth--)
                return -1;
            continue;
        }
        whom = p->hang->wait[p->at[depth]++].whom;
        if (p->depth[whom] == ~0u)
            continue;
        if (p->depth[whom]) {
            *end = depth;
            return (int64_t)p->depth[whom] - 1;
        }
        p->node[++depth] = whom;
        p->at[depth] = p->first[whom];
        p->depth[whom] = depth + 1;
    }
}

static int
find_cycle(struct mpi_hang *hang)
{
    u32 n = hang->ranks.count, end;
    u32 *memory = calloc(4 * ((size_t)n + 2), sizeof(*memory));
    struct path p = { hang, memory, memory + n + 2, memory + 2 * (n + 2),
                      memory + 3 * (n + 2) };
    int64_t from = -1;

    if (!memory)
        return -ENOMEM;
    for (u32 i = 0; i < hang->waits; i++)
        p.first[hang->wait[i].who + 1]++;
    for (u32 i = 0; i < n; i++)
        p.first[i + 1] += p.first[i];
    for (u32 i = 0; i < n && from < 0; i++)
        if (!p.depth[i])
            from = follow(&p, i, &end);
    if (from >= 0) {
        hang->cycles = end - (u32)from + 1;
        hang->cycle = calloc(hang->cycles, sizeof(*hang->cycle));
        if (hang->cycle)
            memcpy(hang->cycle, p.node + from, hang->cycles * sizeof(*hang->cycle));
    }
    free(memory);
    return hang->cycles && !hang->cycle ? -ENOMEM : 0;
}

int
mpiblame_settle(struct mpi_blame *b, struct mpi_hang *hang)
{
    /*
     * Count a message as sent though its send has not returned: the receiver can get
     * it.
     */
    for (u32 i = 0; i < hang->calls; i++) {
        const struct mpi_open_call *call = &hang->call[i];
        const struct mpi_event e = { .comm = call->comm, .peer = call->to,
                                     .tag = call->tag };
        const struct er_mpicall_desc *desc = mpicall_desc(call->call);

        if (desc && desc->kind == MPI_KIND_SEND)
            count(b, call->rank, &e, true);
    }
    for (u32 i = 0; i < hang->calls; i++)
        if (blame(b, hang, &hang->call[i]) < 0)
            return -ENOMEM;
    if (b->no_memory)
        return -ENOMEM;
    tidy(hang);
    return find_cycle(hang);
}
