/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/mpi.h"

#include <stdlib.h>

static u32
node_of(struct cluster *c)
{
    return forest_node(&c->forest);
}

static u64
size_of(struct cluster *c)
{
    return forest_below(&c->forest, 8) ? forest_below(&c->forest, 4000)
                                       : forest_below(&c->forest, 3) * 1000000;
}

static u32
left_of(const struct cluster *c, u32 rank)
{
    return (rank + c->ranks - 1) % c->ranks;
}

static u32
right_of(const struct cluster *c, u32 rank)
{
    return (rank + 1) % c->ranks;
}

/* What is on its way. */
struct message {
    u64 sent;    /* when */
    u64 arrives; /* the earliest moment of its arrival */
    u64 bytes;
};

/* A send that does not wait. */
static struct message
send(struct cluster *c, u32 from, u32 to, u32 call, u32 tag)
{
    struct member *m = &c->member[from];
    struct message message = { m->now, m->now + cluster_latency(c, from, to),
                               size_of(c) };
    struct rec_mpi r = { .call = call, .peer = to + 1, .tag = tag + 1,
                         .sent = message.bytes, .node = node_of(c) };

    cluster_call(c, from, m->now, m->now + MPI_OVERHEAD, &r);
    cluster_message(c, from, to, message.bytes);
    m->now += MPI_OVERHEAD;
    return message;
}

static u64
later(u64 a, u64 b)
{
    return a > b ? a : b;
}

static void
receive(struct cluster *c, u32 to, u32 from, const struct message *message)
{
    struct member *m = &c->member[to];
    u64 end = later(m->now, message->arrives) + MPI_OVERHEAD;
    struct rec_mpi r = { .call = MPICALL_Recv, .peer = from + 1, .tag = 8,
                         .received = message->bytes, .node = node_of(c) };

    cluster_call(c, to, m->now, end, &r);
    cluster_wait(c, PATTERN_LATE_SENDER, to, from, m->now, message->sent);
    /* A receive that comes in the midst of the send. */
    if (m->now <= message->sent + MPI_OVERHEAD)
        cluster_wait(c, PATTERN_LATE_RECEIVER, from, to, message->sent, m->now);
    m->now = end;
}

/* Everyone to the right; even ranks send first. The number of ranks is even. */
static void
ring(struct cluster *c)
{
    struct message *message = forest_must(calloc(c->ranks, sizeof(*message)));

    for (u32 i = 0; i < c->ranks; i += 2)
        message[i] = send(c, i, right_of(c, i), MPICALL_Send, 7);
    for (u32 i = 1; i < c->ranks; i += 2) {
        receive(c, i, i - 1, &message[i - 1]);
        message[i] = send(c, i, right_of(c, i), MPICALL_Send, 7);
    }
    for (u32 i = 0; i < c->ranks; i += 2)
        receive(c, i, left_of(c, i), &message[left_of(c, i)]);
    free(message);
}

/* Even ranks to the right, and each waits until it is received. */
static void
synchronous(struct cluster *c)
{
    for (u32 i = 0; i < c->ranks; i += 2) {
        struct member *from = &c->member[i], *to = &c->member[i + 1];
        u64 since = from->now, asked = to->now, bytes = size_of(c);
        u64 end = later(since, asked) + cluster_latency(c, i, i + 1);
        struct rec_mpi s = { .call = MPICALL_Ssend, .peer = i + 2, .tag = 1,
                             .sent = bytes, .node = node_of(c) };
        struct rec_mpi r = { .call = MPICALL_Recv, .peer = i + 1, .tag = 1,
                             .received = bytes, .node = node_of(c) };

        cluster_call(c, i, since, end, &s);
        cluster_call(c, i + 1, asked, end, &r);
        cluster_message(c, i, i + 1, bytes);
        cluster_wait(c, PATTERN_LATE_RECEIVER, i, i + 1, since, asked);
        cluster_wait(c, PATTERN_LATE_SENDER, i + 1, i, asked, since);
        from->now = to->now = end;
    }
}

static u64
post(struct cluster *c, u32 rank, u32 from, u32 tag)
{
    struct member *m = &c->member[rank];
    struct rec_mpi r = { .call = MPICALL_Irecv, .peer = from, .tag = tag,
                         .node = node_of(c) };
    u64 posted = m->now;

    cluster_call(c, rank, posted, posted + MPI_OVERHEAD, &r);
    m->now += MPI_OVERHEAD;
    return posted;
}

/* One rank's part of the exchange with its neighbours. */
struct exchange {
    u64 posted[2];          /* receives, from the left and from the right */
    struct message sent[2]; /* to the left and to the right */
};

/* A Waitall waits for the latest of its messages, and that is what it is blamed on. */
static void
wait_all(struct cluster *c, u32 rank, const struct exchange *exchange)
{
    struct member *m = &c->member[rank];
    u32 peer[2] = { left_of(c, rank), right_of(c, rank) }, node = node_of(c), worst;
    const struct message *in[2] = { &exchange[peer[0]].sent[1],
                                    &exchange[peer[1]].sent[0] };
    u64 begin = m->now, end = begin;
    struct rec_mpi r = { .call = MPICALL_Waitall, .node = node };

    for (u32 k = 0; k < 2; k++)
        end = later(end, in[k]->arrives);
    end += MPI_OVERHEAD;
    for (u32 k = 0; k < 2; k++) {
        struct rec_done got = { .call = MPICALL_Irecv, .peer = peer[k] + 1,
                                .tag = k + 1, .received = in[k]->bytes, .node = node };
        struct rec_done gone = { .call = MPICALL_Isend, .peer = peer[k] + 1,
                                 .tag = 2 - k, .node = node };

        cluster_done(c, rank, exchange[rank].posted[k], begin, end, &got);
        cluster_done(c, rank, exchange[rank].sent[k].sent, begin, end, &gone);
    }
    cluster_call(c, rank, begin, end, &r);
    worst = in[1]->sent > in[0]->sent ||
            (in[1]->sent == in[0]->sent && peer[1] < peer[0]);
    cluster_wait(c, PATTERN_LATE_SENDER, rank, peer[worst], begin, in[worst]->sent);
    m->now = end;
}

/* Both ways at once; what goes right has the tag 0. */
static void
halo(struct cluster *c)
{
    struct exchange *e = forest_must(calloc(c->ranks, sizeof(*e)));

    for (u32 i = 0; i < c->ranks; i++) {
        e[i].posted[0] = post(c, i, left_of(c, i) + 1, 1);
        e[i].posted[1] = post(c, i, 0, 2); /* from any */
        e[i].sent[0] = send(c, i, left_of(c, i), MPICALL_Isend, 1);
        e[i].sent[1] = send(c, i, right_of(c, i), MPICALL_Isend, 0);
    }
    for (u32 i = 0; i < c->ranks; i++)
        wait_all(c, i, e);
    free(e);
}

/*
 * Two messages to the right of one tag, whose receives are waited for in the opposite
 * order: the second message is that of the second receive all the same.
 */
static void
crossed(struct cluster *c)
{
    for (u32 i = 0; i < c->ranks; i += 2) {
        struct member *to = &c->member[i + 1];
        struct message message[2];
        u64 posted[2];

        for (u32 k = 0; k < 2; k++) {
            posted[k] = post(c, i + 1, k ? 0 : i + 1, 0);
            message[k] = send(c, i, i + 1, MPICALL_Isend, 5);
            c->member[i].now += MPI_STEP * forest_below(&c->forest, 200);
        }
        for (u32 k = 2; k-- > 0;) {
            u32 node = node_of(c);
            u64 begin = to->now;
            u64 end = later(begin, message[k].arrives) + MPI_OVERHEAD;
            struct rec_mpi r = { .call = MPICALL_Wait, .node = node };
            struct rec_done done = { .call = MPICALL_Irecv, .peer = i + 1, .tag = 6,
                                     .received = message[k].bytes, .node = node };

            cluster_done(c, i + 1, posted[k], begin, end, &done);
            cluster_call(c, i + 1, begin, end, &r);
            cluster_wait(c, PATTERN_LATE_SENDER, i + 1, i, begin, message[k].sent);
            to->now = end;
        }
    }
}

/* The last to come; of several, that of the lowest rank. */
static u32
last_of(const struct cluster *c, u32 end)
{
    u32 last = 0;

    for (u32 i = 1; i < end; i++)
        if (c->member[i].now > c->member[last].now)
            last = i;
    return last;
}

struct collective {
    u32 call;
    enum gen_pattern pattern;
    u32 root; /* + 1, 0 = none */
    u64 bytes;
};

/* For whom a rank waits. */
static u32
awaited(const struct cluster *c, const struct collective *k, u32 rank)
{
    if (k->pattern == PATTERN_FROM_ONE)
        return k->root - 1;
    if (k->pattern == PATTERN_TO_ONE)
        return rank == k->root - 1 ? last_of(c, c->ranks) : rank;
    return last_of(c, k->pattern == PATTERN_PREFIX ? rank + 1 : c->ranks);
}

static void
collective(struct cluster *c, const struct collective *k)
{
    u64 *end = forest_must(calloc(c->ranks, sizeof(*end)));

    for (u32 i = 0; i < c->ranks; i++) {
        u64 begin = c->member[i].now, till = c->member[awaited(c, k, i)].now;

        end[i] = later(begin, till) + cluster_latency(c, awaited(c, k, i), i);
        cluster_wait(c, k->pattern, i, awaited(c, k, i), begin, till);
    }
    for (u32 i = 0; i < c->ranks; i++) {
        struct rec_mpi r = { .call = k->call, .peer = k->root, .node = node_of(c),
                             .seq = ++c->member[i].seq };
        bool root = i + 1 == k->root;

        if (k->pattern != PATTERN_BARRIER && (k->pattern != PATTERN_FROM_ONE || root))
            r.sent = k->bytes;
        if (k->pattern == PATTERN_ALL || k->pattern == PATTERN_PREFIX ||
            (k->pattern == PATTERN_FROM_ONE && !root) ||
            (k->pattern == PATTERN_TO_ONE && root))
            r.received = k->bytes;
        cluster_call(c, i, c->member[i].now, end[i], &r);
        c->member[i].now = end[i];
    }
    free(end);
}

/* A put to the right, which asks nobody. */
static void
put(struct cluster *c)
{
    for (u32 i = 0; i < c->ranks; i++) {
        struct member *m = &c->member[i];
        struct rec_mpi r = { .call = MPICALL_Put, .peer = right_of(c, i) + 1,
                             .sent = 1 + size_of(c), .node = node_of(c) };
        struct sizes *aside = &c->pair[i * c->ranks + right_of(c, i)].aside;

        cluster_call(c, i, m->now, m->now + MPI_OVERHEAD, &r);
        m->now += MPI_OVERHEAD;
        aside->count++;
        aside->bytes += r.sent;
    }
}

void
mpi_round(struct cluster *c, u32 number)
{
    u32 root = 1 + forest_below(&c->forest, c->ranks);
    u64 bytes = 1 + forest_below(&c->forest, 5000);
    const struct collective collectives[] = {
        { MPICALL_Barrier, PATTERN_BARRIER, 0, 0 },
        { MPICALL_Allreduce, PATTERN_ALL, 0, bytes },
        { MPICALL_Bcast, PATTERN_FROM_ONE, root, bytes },
        { MPICALL_Reduce, PATTERN_TO_ONE, root, bytes },
        { MPICALL_Scan, PATTERN_PREFIX, 0, bytes },
    };
    static void (*const others[])(struct cluster *) = { ring, synchronous, halo,
                                                        crossed, put };

    if (number % 2)
        collective(c, &collectives[number / 2]);
    else
        others[number / 2](c);
}
