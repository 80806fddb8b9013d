/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/mpi.h"

enum {
    SAMPLE = 1000000, /* ns: the period of the clock hits */
    WORK = 200000,    /* ns that each rank works a round */
};

/* So long in one place, with clock hits. */
static void
spend(struct cluster *c, u32 rank, u32 node, u64 time)
{
    struct member *m = &c->member[rank];

    for (u64 at = SAMPLE; at <= time; at += SAMPLE) {
        struct rec_clock r = { .node = node, .weight = SAMPLE };

        gen_clock(m->gen, 1, cluster_local(c, rank, m->now + at - SAMPLE / 2), &r);
        m->cpu += SAMPLE;
    }
    m->now += time / MPI_STEP * MPI_STEP;
}

/* A node of another function than another node. */
static u32
node_beside(struct cluster *c, u32 other)
{
    u32 node = forest_node(&c->forest);

    while (c->forest.func[node] == c->forest.func[other])
        node = forest_node(&c->forest);
    return node;
}

void
mpi_chain(struct cluster *c, u32 rounds, u64 late)
{
    u32 place = forest_node(&c->forest), load = node_beside(c, place);
    u64 waited = 0;

    for (u32 n = 0; n < rounds; n++) {
        u64 arrives = 0, sent = 0;

        spend(c, 0, load, late);
        for (u32 i = 0; i < c->ranks; i++) {
            struct member *m = &c->member[i];
            struct rec_mpi r = { .call = MPICALL_Recv, .peer = i, .tag = 8,
                                 .received = 8, .node = place };
            struct rec_mpi s = { .call = MPICALL_Send, .peer = i + 2, .tag = 8,
                                 .sent = 8, .node = place };

            if (i) {
                u64 end = (arrives > m->now ? arrives : m->now) + MPI_OVERHEAD;

                cluster_call(c, i, m->now, end, &r);
                cluster_wait(c, PATTERN_LATE_SENDER, i, i - 1, m->now, sent);
                waited += sent > m->now ? sent - m->now : 0;
                m->now = end;
            }
            m->now += WORK / MPI_STEP * MPI_STEP;
            sent = m->now;
            arrives = sent + MPI_LATENCY;
            if (i + 1 == c->ranks)
                continue;
            cluster_call(c, i, sent, sent + MPI_OVERHEAD, &s);
            cluster_message(c, i, i + 1, 8);
            m->now += MPI_OVERHEAD;
        }
    }
    printf("late 0 f%u %llu\n", c->forest.func[load], (unsigned long long)waited);
}
