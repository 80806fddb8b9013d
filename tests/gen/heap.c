/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_heap: writes an experiment of heap events of any size and prints its truth.
 *
 *   gen_heap [-n CALLS] [-l LIVE] [-m NODES] [-t THREADS] [-f FUNCTIONS] [-s SEED]
 *            [-k TICKS-PER-NS] [-x hostile] EXPERIMENT.er
 *
 * CALLS allocations, and the frees of all but a few. Truth, one a line:
 *
 *   total CALLS BYTES LEAKS LEAK-BYTES PEAK-BYTES PEAK-NS TEMPORARY EVENTS
 *   function NAME then of these, exclusive: CALLS BYTES LEAKS LEAK-BYTES PEAK-BYTES,
 *                 and the same inclusive
 *
 * hostile: records without sense between the others, of which the truth does not know.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/gen/gen.h"

enum {
    BIAS = 0x555500000000,
    SUMS = 5, /* calls, bytes, leaks, leak bytes, peak bytes */
    FREE_PLACES = 64,
};

struct block {
    u64 addr;
    u64 seq; /* of its allocation */
    u32 size;
    u32 node;
    u32 thread;
};

/* What an event changed: to find the peak afterwards. */
struct change {
    u32 node;
    int32_t bytes;
    u64 mono;
};

struct world {
    u64 calls;
    u32 live, nodes, threads, functions, tick_scale;
    u64 seed;
    bool hostile;
    struct gen *gen;
    struct block *block; /* live places; size UINT32_MAX = empty */
    u64 *last;           /* by thread: seq of its last allocation */
    struct change *change;
    u64 changes, change_room;
    u32 *parent, *func; /* by node */
    u64 (*self)[SUMS];  /* by node */
    u64 spare[FREE_PLACES]; /* addresses given back, the last one on top */
    u32 spares;
    u64 next_addr, mono, seq, temporary, events, peak, peak_mono;
};

/* xorshift64* (Vigna, 2016). */
static u64
next_random(struct world *w)
{
    u64 x = w->seed;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    w->seed = x;
    return x * 0x2545f4914f6cdd1d;
}

static u32
below(struct world *w, u32 n)
{
    return (u32)((next_random(w) >> 32) % n);
}

static void *
must(void *p)
{
    if (p)
        return p;
    fprintf(stderr, "gen_heap: out of memory\n");
    exit(2);
}

static void
make_nodes(struct world *w)
{
    for (u32 id = 1; id <= w->nodes; id++) {
        w->func[id] = id == 1 ? 0 : below(w, w->functions);
        if (id > 1)
            w->parent[id] = id - 1 - below(w, id > 20 ? 20 : id - 1);
        gen_node(w->gen, w->parent[id], 1,
                 BIAS + GEN_CODE + w->func[id] * GEN_FUNC_BYTES + 8, 0);
    }
}

static void
make_threads(struct world *w)
{
    for (u32 i = 1; i <= w->threads; i++) {
        struct rec_thread row = { .id = i, .tid = 4000 + i, .birth = GEN_START + i };

        gen_thread(w->gen, &row);
    }
}

static void
change(struct world *w, u32 node, int32_t bytes)
{
    if (w->changes == w->change_room) {
        w->change_room = w->change_room ? w->change_room * 2 : 1024;
        w->change = must(realloc(w->change, w->change_room * sizeof(*w->change)));
    }
    w->change[w->changes++] = (struct change){ node, bytes, w->mono };
}

static u64
take_addr(struct world *w)
{
    if (w->spares && below(w, 4))
        return w->spare[--w->spares];
    w->next_addr += 16 + 16 * below(w, 8);
    return w->next_addr;
}

static void
give_addr(struct world *w, u64 addr)
{
    if (w->spares < FREE_PLACES)
        w->spare[w->spares++] = addr;
}

static void
begin(struct world *w, struct block *b, u32 thread, u64 addr)
{
    *b = (struct block){ addr, ++w->seq, below(w, 8) ? below(w, 200) : below(w, 100000),
                         1 + below(w, w->nodes), thread };
    w->last[thread] = w->seq;
    w->self[b->node][0]++;
    w->self[b->node][1] += b->size;
    w->self[b->node][2]++;
    w->self[b->node][3] += b->size;
    change(w, b->node, (int32_t)b->size);
}

static void
end(struct world *w, const struct block *b)
{
    w->self[b->node][2]--;
    w->self[b->node][3] -= b->size;
    change(w, b->node, -(int32_t)b->size);
}

static void
make_alloc(struct world *w, struct block *b, u32 thread)
{
    struct rec_alloc r;

    begin(w, b, thread, take_addr(w));
    r = (struct rec_alloc){ 0, b->addr, b->size, b->node };
    gen_alloc(w->gen, thread, w->mono, &r);
}

static void
make_free(struct world *w, struct block *b, u32 thread)
{
    struct rec_free r = { 0, b->addr };

    gen_free(w->gen, thread, w->mono, &r);
    w->temporary += w->last[b->thread] == b->seq;
    end(w, b);
    give_addr(w, b->addr);
    b->size = UINT32_MAX;
}

static void
make_realloc(struct world *w, struct block *b, u32 thread)
{
    struct rec_realloc r = { .took = 64, .old = b->addr };
    bool same = below(w, 2);

    end(w, b);
    if (!same)
        give_addr(w, b->addr);
    w->mono += r.took;
    begin(w, b, thread, same ? b->addr : take_addr(w));
    r.addr = b->addr;
    r.size = b->size;
    r.node = b->node;
    gen_realloc(w->gen, thread, w->mono, &r);
}

/* Something that no target does. */
static void
make_hostile(struct world *w, u32 thread)
{
    u64 addr = below(w, 2) ? w->block[below(w, w->live)].addr : next_random(w);
    u64 size = next_random(w) >> below(w, 64);
    u32 node = below(w, 2) ? below(w, w->nodes) : (u32)next_random(w);
    struct rec_alloc alloc = { 0, addr, size, node };
    struct rec_free free_ = { 0, addr };
    struct rec_realloc again = { 0, size & 0xffff, addr, addr ^ 16, size, node };
    struct rec_map map = { 0, addr, size, below(w, 9), node };
    struct rec_unmap unmap = { 0, addr, size, below(w, 9) };
    struct rec_remap remap = { 0, size & 0xffff, addr, size, addr + size, size, node };

    switch (below(w, 6)) {
    case 0:
        gen_alloc(w->gen, thread, w->mono, &alloc);
        break;
    case 1:
        gen_free(w->gen, thread, w->mono, &free_);
        break;
    case 2:
        gen_realloc(w->gen, thread, w->mono, &again);
        break;
    case 3:
        gen_memory_map(w->gen, thread, w->mono, &map);
        break;
    case 4:
        gen_memory_unmap(w->gen, thread, w->mono, &unmap);
        break;
    default:
        gen_memory_remap(w->gen, thread, w->mono, &remap);
    }
}

static void
make_events(struct world *w)
{
    while (w->seq < w->calls) {
        struct block *b = &w->block[below(w, w->live)];
        u32 thread = 1 + below(w, w->threads);

        w->mono += 16 + below(w, 100);
        w->events++;
        if (w->hostile && below(w, 4) == 0)
            make_hostile(w, thread);
        if (b->size == UINT32_MAX)
            make_alloc(w, b, thread);
        else if (below(w, 20) == 0)
            make_realloc(w, b, thread);
        else if (below(w, 100) == 0)
            make_alloc(w, b, thread); /* the block that was here is never freed */
        else
            make_free(w, b, thread);
    }
    for (u32 i = 0; i < w->live; i++) {
        if (w->block[i].size == UINT32_MAX)
            continue;
        w->mono += 16;
        w->events++;
        make_free(w, &w->block[i], 1);
    }
}

static void
find_peak(struct world *w)
{
    u64 live = 0, at = 0;

    for (u64 i = 0; i < w->changes; i++) {
        live += (u64)(int64_t)w->change[i].bytes;
        if (live > w->peak) {
            w->peak = live;
            w->peak_mono = w->change[i].mono;
            at = i + 1;
        }
    }
    for (u64 i = 0; i < at; i++)
        w->self[w->change[i].node][4] += (u64)(int64_t)w->change[i].bytes;
}

static void
tell(const struct world *w)
{
    u64 (*excl)[SUMS] = must(calloc(w->functions, sizeof(*excl)));
    u64 (*incl)[SUMS] = must(calloc(w->functions, sizeof(*incl)));
    u64 total[SUMS] = { 0 };
    u32 *seen = must(calloc(w->functions, sizeof(*seen)));

    for (u32 id = 1; id <= w->nodes; id++)
        for (u32 k = 0; k < SUMS; k++) {
            total[k] += w->self[id][k];
            excl[w->func[id]][k] += w->self[id][k];
        }
    for (u32 id = 1; id <= w->nodes; id++)
        for (u32 at = id; at; at = w->parent[at]) {
            for (u32 k = 0; k < SUMS && seen[w->func[at]] != id; k++)
                incl[w->func[at]][k] += w->self[id][k];
            seen[w->func[at]] = id;
        }
    printf("total");
    for (u32 k = 0; k < SUMS; k++)
        printf(" %llu", (unsigned long long)total[k]);
    printf(" %llu %llu %llu\n", (unsigned long long)(w->peak_mono - GEN_START),
           (unsigned long long)w->temporary, (unsigned long long)w->events);
    for (u32 f = 0; f < w->functions; f++) {
        if (!incl[f][0])
            continue;
        printf("function f%u", f);
        for (u32 k = 0; k < 2 * SUMS; k++)
            printf(" %llu", (unsigned long long)(k < SUMS ? excl[f][k]
                                                          : incl[f][k - SUMS]));
        printf("\n");
    }
    free(excl);
    free(incl);
    free(seen);
}

static u64
number(const char *text)
{
    char *end;
    u64 n = strtoull(text, &end, 0);

    if (*end || !*text || n < 1 || n > 1000000000) {
        fprintf(stderr, "gen_heap: '%s' is not a number from 1 to 1000000000\n", text);
        exit(2);
    }
    return n;
}

static void
options(struct world *w, int argc, char **argv)
{
    int c;

    while ((c = getopt(argc, argv, "n:l:m:t:f:s:k:x:")) != -1) {
        if (c == 'n')
            w->calls = number(optarg);
        else if (c == 'l')
            w->live = (u32)number(optarg);
        else if (c == 'm')
            w->nodes = (u32)number(optarg);
        else if (c == 't')
            w->threads = (u32)number(optarg);
        else if (c == 'f')
            w->functions = (u32)number(optarg);
        else if (c == 's')
            w->seed = number(optarg);
        else if (c == 'k')
            w->tick_scale = (u32)number(optarg);
        else if (c == 'x' && !strcmp(optarg, "hostile"))
            w->hostile = true;
        else
            exit(2);
    }
    if (optind + 1 != argc || w->threads >= GEN_THREADS_MAX) {
        fprintf(stderr, "gen_heap: one experiment's name is needed\n");
        exit(2);
    }
}

static void
prepare(struct world *w)
{
    w->block = must(calloc(w->live, sizeof(*w->block)));
    for (u32 i = 0; i < w->live; i++)
        w->block[i].size = UINT32_MAX;
    w->last = must(calloc(w->threads + 1, sizeof(*w->last)));
    w->parent = must(calloc(w->nodes + 1, sizeof(*w->parent)));
    w->func = must(calloc(w->nodes + 1, sizeof(*w->func)));
    w->self = must(calloc(w->nodes + 1, sizeof(*w->self)));
    w->next_addr = 0x555560000000;
    w->mono = GEN_START + 1000;
}

int
main(int argc, char **argv)
{
    struct world w = { .calls = 1000, .live = 64, .nodes = 50, .threads = 1,
                       .functions = 10, .tick_scale = 1, .seed = 42 };

    options(&w, argc, argv);
    prepare(&w);
    w.gen = gen_start(argv[optind], w.tick_scale);
    gen_object(w.gen, 1, "/gen/app", "abcd0001", BIAS, BIAS + GEN_CODE,
               BIAS + GEN_CODE + (u64)w.functions * GEN_FUNC_BYTES, "main");
    gen_archive(w.gen, "/gen/app", "abcd0001", "f", "/gen/app.c", w.functions, 0);
    make_nodes(&w);
    make_threads(&w);
    make_events(&w);
    gen_end(w.gen, w.mono + 1000000, 1000000, 0);
    gen_finish(w.gen);
    find_peak(&w);
    tell(&w);
    free(w.block);
    free(w.last);
    free(w.parent);
    free(w.func);
    free(w.self);
    free(w.change);
    return 0;
}
