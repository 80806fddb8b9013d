/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/mpi.h"

u64
cluster_local(const struct cluster *c, u32 rank, u64 time)
{
    u32 host = c->member[rank].host;
    u64 drift = (u64)(c->drift * host * (double)time);

    return GEN_START + c->shift[host] + time + drift / MPI_STEP * MPI_STEP;
}

static void
add_size(struct sizes *sizes, u64 bytes)
{
    if (!sizes->count || bytes < sizes->least)
        sizes->least = bytes;
    if (bytes > sizes->most)
        sizes->most = bytes;
    sizes->count++;
    sizes->bytes += bytes;
}

void
cluster_call(struct cluster *c, u32 rank, u64 begin, u64 end, struct rec_mpi *r)
{
    const struct er_mpicall_desc *desc = mpicall_desc(r->call);
    struct call_sum *sum = &c->call[r->call];
    u64 *self = &c->self[r->node * TRUTHS];

    r->kind = desc->kind;
    r->comm = 1;
    r->took = cluster_local(c, rank, end) - cluster_local(c, rank, begin);
    gen_mpi(c->member[rank].gen, 1, cluster_local(c, rank, end), r);
    sum->count++;
    sum->time += end - begin;
    self[0] += end - begin;
    self[1]++;
    self[2] += r->sent;
    self[3] += r->received;
    if (r->sent || desc->kind == MPI_KIND_SEND)
        add_size(&sum->sent, r->sent);
    if (r->received || (desc->kind == MPI_KIND_RECV && desc->mode == MPI_MODE_BLOCK))
        add_size(&sum->received, r->received);
    if (r->call == MPICALL_Recv)
        add_size(&c->pair[(r->peer - 1) * c->ranks + rank].received, r->received);
}

void
cluster_done(struct cluster *c, u32 rank, u64 posted, u64 begin, u64 end,
             struct rec_done *r)
{
    r->kind = mpicall_desc(r->call)->kind;
    r->comm = 1;
    r->posted_node = r->node;
    r->waited = cluster_local(c, rank, end) - cluster_local(c, rank, begin);
    r->posted = cluster_local(c, rank, end) - cluster_local(c, rank, posted);
    gen_done(c->member[rank].gen, 1, cluster_local(c, rank, end), r);
    c->self[r->node * TRUTHS + 3] += r->received;
    if (r->kind != MPI_KIND_RECV)
        return;
    add_size(&c->call[r->call].received, r->received);
    add_size(&c->pair[(r->peer - 1) * c->ranks + rank].received, r->received);
}

void
cluster_message(struct cluster *c, u32 from, u32 to, u64 bytes)
{
    add_size(&c->pair[from * c->ranks + to].sent, bytes);
}

void
cluster_wait(struct cluster *c, enum gen_pattern pattern, u32 who, u32 whom, u64 since,
             u64 till)
{
    struct wait_sum *sum = &c->wait[((size_t)pattern * c->ranks + who) * c->ranks +
                                    whom];

    if (till <= since)
        return;
    sum->count++;
    sum->time += till - since;
    if (till - since > sum->longest)
        sum->longest = till - since;
}

u64
cluster_latency(struct cluster *c, u32 from, u32 to)
{
    u64 more = 0;

    if (c->member[from].host != c->member[to].host && c->jitter)
        more = MPI_STEP * (u64)forest_below(&c->forest, c->jitter);
    return MPI_LATENCY + more;
}

static void
tell_sizes(const struct sizes *s)
{
    printf(" %llu %llu", (unsigned long long)s->count, (unsigned long long)s->bytes);
}

static void
tell_range(const struct sizes *a, const struct sizes *b)
{
    u64 least = !a->count || (b->count && b->least < a->least) ? b->least : a->least;

    printf(" %llu %llu\n", (unsigned long long)least,
           (unsigned long long)(a->most > b->most ? a->most : b->most));
}

static void
tell_calls(const struct cluster *c)
{
    for (u32 i = 0; i < MPICALL_END; i++) {
        const struct call_sum *sum = &c->call[i];

        if (!sum->count)
            continue;
        printf("call %s %llu %llu", mpicall_name(i), (unsigned long long)sum->count,
               (unsigned long long)sum->time);
        tell_sizes(&sum->sent);
        tell_sizes(&sum->received);
        tell_range(&sum->sent, &sum->received);
    }
}

static void
tell_pairs(const struct cluster *c)
{
    for (u32 i = 0; i < c->ranks * c->ranks; i++) {
        const struct pair_sum *pair = &c->pair[i];

        if (!pair->sent.count && !pair->received.count && !pair->aside.count)
            continue;
        printf("pair %u %u", i / c->ranks, i % c->ranks);
        tell_sizes(&pair->sent);
        tell_sizes(&pair->received);
        tell_sizes(&pair->aside);
        printf("\n");
    }
}

static void
tell_waits(const struct cluster *c)
{
    static const char *const names[PATTERNS] = {
        "late-sender", "late-receiver", "barrier", "all", "from-one", "to-one",
        "prefix",
    };

    for (u32 p = 0; p < PATTERNS; p++)
        for (u32 i = 0; i < c->ranks * c->ranks; i++) {
            const struct wait_sum *w = &c->wait[(size_t)p * c->ranks * c->ranks + i];

            if (w->count)
                printf("wait %s %u %u %llu %llu %llu\n", names[p], i / c->ranks,
                       i % c->ranks, (unsigned long long)w->count,
                       (unsigned long long)w->time, (unsigned long long)w->longest);
        }
}

void
cluster_tell(const struct cluster *c)
{
    tell_calls(c);
    tell_pairs(c);
    tell_waits(c);
    forest_tell(&c->forest, "mpi-function", c->self, TRUTHS);
}
