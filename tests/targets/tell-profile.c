/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an experiment's profile and threads by the contract alone, for tests of the
 * collector that should not depend on er_print.
 *
 *   tell-profile EXPERIMENT
 *
 * Prints "key value" lines: samples, records of user and system weight, residuals, bad
 * chunks, and a line for each thread row.
 */
/* build: -O1 -g -I@S@/../.. */
/* link: @S@/../../share/chunk.c @S@/../../share/record.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/chunk.h"
#include "share/record.h"
#include "tell.h"

struct totals {
    u64 samples;
    u64 user_samples;
    u64 user;
    u64 system;
    u64 residual_user[8];
    u64 residual_system[8];
    u64 chunks;
    u64 rests;
    u64 bad;
    u64 bytes;
    u64 dropped;
    u32 node_max;
    u64 of_thread[65536];
};

static struct totals totals;

static int
read_rep(const unsigned char **p, const unsigned char *end, u64 *last)
{
    u64 v;

    if (get_varint(p, end, &v) < 0)
        return -1;
    if (v)
        *last = v - 1;
    return 0;
}

struct state {
    struct codec codec;
    u64 cpu, mstate, weight; /* of the last clock record */
    u64 user, system;        /* of the last residual */
};

static int
read_clock(struct state *s, const unsigned char **p, const unsigned char *end,
           u32 thread)
{
    u32 node;

    if (get_node(&s->codec, p, end, &node) < 0 || read_rep(p, end, &s->cpu) < 0 ||
        read_rep(p, end, &s->mstate) < 0 || read_rep(p, end, &s->weight) < 0)
        return -1;
    totals.node_max = node > totals.node_max ? node : totals.node_max;
    /* From outside, in the place of some of the others: not the target's own. */
    if (s->mstate == MSTATE_KERNEL)
        return 0;
    totals.samples++;
    totals.of_thread[thread % 65536]++;
    if (s->mstate) {
        totals.system += s->weight;
    } else {
        totals.user += s->weight;
        totals.user_samples++;
    }
    return 0;
}

static int
read_residual(struct state *s, const unsigned char **p, const unsigned char *end)
{
    u64 kind, user, system;

    if (get_varint(p, end, &kind) < 0 || get_varint(p, end, &user) < 0 ||
        get_varint(p, end, &system) < 0)
        return -1;
    s->user += unzigzag(user);
    s->system += unzigzag(system);
    totals.residual_user[kind & 7] += s->user;
    totals.residual_system[kind & 7] += s->system;
    return 0;
}

static void
read_chunk(const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *p = (const unsigned char *)chunk + sizeof(*chunk);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    struct state s = { .cpu = 0 };

    codec_start(&s.codec, chunk->tsc0, chunk->prev_addr);
    totals.chunks++;
    totals.rests += chunk->owner_gen > 0;
    totals.bytes += committed;
    totals.dropped += chunk->dropped;
    if (!chunk_data_ok(chunk, committed))
        totals.bad++;
    while (p < end) {
        u32 kind;
        u64 time;
        int ret = get_head(&s.codec, &p, end, &kind, &time);

        if (ret == 0 && kind == KIND_clock)
            ret = read_clock(&s, &p, end, chunk->thread_id);
        else if (ret == 0 && kind == KIND_residual)
            ret = read_residual(&s, &p, end);
        else
            ret = -1;
        if (ret < 0) {
            totals.bad++;
            return;
        }
    }
}

static void
tell_threads(const char *experiment)
{
    u64 size, cpu = 0, seen = 0, dropped = 0, count = 0;
    const struct rec_thread *row = (const void *)map_file(experiment, "threads", &size);

    for (u64 i = 1; i < size / sizeof(*row); i++) {
        const struct rec_thread *r = &row[i];

        if (!r->id)
            continue;
        count++;
        cpu += r->cpu_last;
        seen += r->seen;
        dropped += r->dropped;
        printf("thread %u seen %llu dropped %llu records %llu cpu %.6f born %.6f "
               "source %u name %.16s\n",
               r->id, (unsigned long long)r->seen, (unsigned long long)r->dropped,
               (unsigned long long)totals.of_thread[r->id % 65536],
               (double)r->cpu_last / 1e9, (double)r->cpu_birth / 1e9, r->source,
               r->name.c);
    }
    printf("threads %llu\nthreads_cpu %.6f\nseen %llu\nrow_dropped %llu\n",
           (unsigned long long)count, (double)cpu / 1e9, (unsigned long long)seen,
           (unsigned long long)dropped);
}

static void
tell(const char *key, u64 ns)
{
    printf("%s %.6f\n", key, (double)(int64_t)ns / 1e9);
}

int
main(int argc, char **argv)
{
    static const char *const kinds[] = { "",      "startup",      "exit",
                                         "unattributed", "paused" };
    struct chunk_cursor cursor = { .file = FILE_profile };
    const struct er_chunk *chunk;
    u64 where, user, system;
    u32 committed;
    int ret;

    if (argc < 2)
        return 2;
    cursor.data = map_file(argv[1], "profile", &cursor.size);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        if (ret < 0)
            totals.bad++;
        else
            read_chunk(chunk, committed);
    }
    tell_threads(argv[1]);
    printf("samples %llu\nuser_samples %llu\nbad %llu\nchunks %llu\nrests %llu\n"
           "bytes %llu\ndropped %llu\nnode_max %u\n",
           (unsigned long long)totals.samples, (unsigned long long)totals.user_samples,
           (unsigned long long)totals.bad, (unsigned long long)totals.chunks,
           (unsigned long long)totals.rests, (unsigned long long)totals.bytes,
           (unsigned long long)totals.dropped, totals.node_max);
    tell("user", totals.user);
    tell("system", totals.system);
    user = totals.user;
    system = totals.system;
    for (u32 i = RESIDUAL_STARTUP; i <= RESIDUAL_PAUSED; i++) {
        tell(kinds[i], totals.residual_user[i] + totals.residual_system[i]);
        user += totals.residual_user[i];
        system += totals.residual_system[i];
    }
    tell("total_user", user);
    tell("total_system", system);
    tell("total", user + system);
    return 0;
}
