/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_counters: writes an experiment as a machine with a PMU would, and prints its
 * truth.
 *
 *   gen_counters [-c NAME,NAME...] [-n HITS] [-m NODES] [-t THREADS] [-f FUNCTIONS]
 *                [-r SEED] [-k TICKS-PER-NS] [-w] EXPERIMENT.er
 *
 * A name with + before it has addresses: of 16 pages, that are of two NUMA nodes in
 * turn. Counters of hardware take turns from the third one on. -w: the clock ran, too.
 *
 * Truth, one a line:
 *
 *   counter NAME BY-ITS-HITS COUNTED SCALED RUNNING-PERCENT
 *   function NAME, then one sum for each counter, exclusive, and inclusive; with a
 *       clock its ns are the last of each
 *   page ADDRESS, home NODE, then one sum for each counter
 *   thread ID SEEN LOST THROTTLED
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/ctl.h"
#include "tests/gen/forest.h"

enum {
    STEP = 1024, /* ns */
    PAGES = 16,
    HOMES = 2,
    SUMS = ER_COUNTERS + 1, /* the clock's is the last */
    CLOCK_NS = 1000000,
};

#define DATA 0x7f0000000000ull

struct kind {
    char name[80];
    bool addresses;
    bool hardware;
    u64 interval;
    u64 sum; /* by its hits */
};

struct world {
    struct gen *gen;
    struct forest forest;
    struct kind kind[ER_COUNTERS];
    u32 kinds;
    u32 threads;
    u64 hits;
    bool clock;
    u64 mono;
    u64 *self; /* SUMS for each node */
    u64 page[PAGES][ER_COUNTERS];
    u64 home[HOMES][ER_COUNTERS];
    u64 seen[64];
};

static bool
is_software(const char *name)
{
    return strstr(name, "clock") || strstr(name, "faults");
}

static void
take_names(struct world *w, char *list)
{
    char *save = NULL;

    for (char *p = strtok_r(list, ",", &save); p && w->kinds < ER_COUNTERS;
         p = strtok_r(NULL, ",", &save)) {
        struct kind *k = &w->kind[w->kinds++];

        k->addresses = *p == '+';
        snprintf(k->name, sizeof(k->name), "%s", p + k->addresses);
        k->hardware = !is_software(k->name);
        k->interval = strstr(k->name, "clock")   ? 10007000
                      : strstr(k->name, "fault") ? 101
                      : strstr(k->name, "miss")  ? 100003
                                                 : 9999991;
    }
}

static void
put_counters(struct world *w)
{
    for (u32 i = 0; i < w->kinds; i++) {
        const struct kind *k = &w->kind[i];
        char line[300];

        snprintf(line, sizeof(line),
                 "<counter index=\"%u\" name=\"%s\" interval=\"%llu\"%s mode=\"user\" "
                 "type=\"%d\" config=\"0x%x\"/>\n",
                 i, k->name, (unsigned long long)k->interval,
                 k->addresses ? " addresses=\"on\" precise=\"2\"" : "",
                 !k->hardware, i);
        gen_log(w->gen, line);
    }
    if (w->clock)
        gen_log(w->gen, "<collect clock_ns=\"1000000\"/>\n");
    else
        gen_log(w->gen, "<collect clock_ns=\"0\"/>\n");
}

static void
put_access(struct world *w, u32 thread, u32 counter, u32 node, u64 value)
{
    u32 page = forest_below(&w->forest, PAGES);
    struct rec_access r = {
        .node = node,
        .cpu = thread & 1,
        .counter = counter,
        .value = value,
        .vaddr = DATA + 4096ull * page + 8ull * forest_below(&w->forest, 512),
        .paddr = 0x100000 + 4096ull * page,
        .home = 1 + page % HOMES,
    };

    gen_access(w->gen, thread, w->mono, &r);
    w->page[page][counter] += value;
    w->home[page % HOMES][counter] += value;
}

/* Now and then a hit stands for several overflows. */
static void
put_hit(struct world *w, u64 n)
{
    u32 counter = forest_below(&w->forest, w->kinds), node = forest_node(&w->forest);
    u32 thread = 1 + (u32)(n % w->threads);
    struct kind *k = &w->kind[counter];
    u64 value = k->interval * (forest_below(&w->forest, 20) == 0 ? 3 : 1);
    struct rec_count r = { 0, node, thread & 1, counter, value };

    w->mono += STEP;
    if (k->addresses)
        put_access(w, thread, counter, node, value);
    else
        gen_count(w->gen, thread, w->mono, &r);
    k->sum += value;
    w->seen[thread]++;
    w->self[node * SUMS + counter] += value;
}

static void
put_clock(struct world *w, u64 n)
{
    struct rec_clock r = { .node = forest_node(&w->forest), .weight = CLOCK_NS };

    gen_clock(w->gen, 1 + (u32)(n % w->threads), w->mono, &r);
    w->self[r.node * SUMS + ER_COUNTERS] += CLOCK_NS;
}

static u64
lost_of(u32 thread)
{
    return thread * 7;
}

static void
put_threads(struct world *w)
{
    for (u32 i = 1; i <= w->threads; i++) {
        struct rec_thread row = { .id = i, .tid = 4000 + i, .birth = GEN_START + i };

        row.count_seen = w->seen[i];
        row.count_lost = lost_of(i);
        row.count_throttled = i;
        gen_thread(w->gen, &row);
        printf("thread %u %llu %llu %u\n", i, (unsigned long long)w->seen[i],
               (unsigned long long)lost_of(i), i);
    }
}

/* Counted: a little more than the hits stand for. */
static void
put_totals(struct world *w)
{
    const u64 enabled = 1000000000;

    for (u32 i = 0; i < w->kinds; i++) {
        struct kind *k = &w->kind[i];
        bool turns = k->hardware && i >= 2;
        struct rec_total half = { 0, i, k->sum / 3, enabled / 2,
                                  enabled / (turns ? 4 : 2) };
        struct rec_total r = { 0, i, k->sum + k->interval / 2, enabled,
                               turns ? enabled / 2 : enabled };

        gen_total(w->gen, 0, GEN_START + 2, &half);
        gen_total(w->gen, 0, w->mono, &r);
        printf("counter %s %llu %llu %llu %d\n", k->name, (unsigned long long)k->sum,
               (unsigned long long)r.value,
               (unsigned long long)(turns ? 2 * r.value : r.value), turns ? 50 : 100);
    }
}

static void
tell_sums(const char *word, unsigned long long key, const u64 *sums, u32 count)
{
    printf("%s%llx", word, key);
    for (u32 i = 0; i < count; i++)
        printf(" %llu", (unsigned long long)sums[i]);
    printf("\n");
}

/* Counters stand side by side in what is told: those that are not there go out. */
static void
tell(struct world *w)
{
    u32 count = w->kinds + w->clock;

    for (u32 id = 1; id <= w->forest.nodes; id++) {
        u64 *from = w->self + id * SUMS, *to = w->self + id * count;

        memmove(to, from, w->kinds * sizeof(*to));
        if (w->clock)
            to[w->kinds] = from[ER_COUNTERS];
    }
    forest_tell(&w->forest, "function", w->self, count);
    for (u32 i = 0; i < PAGES; i++)
        tell_sums("page 0x", DATA + 4096ull * i, w->page[i], w->kinds);
    for (u32 i = 0; i < HOMES; i++)
        tell_sums("home ", i, w->home[i], w->kinds);
}

static void
build(struct world *w)
{
    put_counters(w);
    forest_make(&w->forest, w->gen);
    w->self = forest_must(calloc((size_t)(w->forest.nodes + 1) * SUMS, sizeof(u64)));
    for (u64 i = 0; i < w->hits; i++) {
        put_hit(w, i);
        if (w->clock && i % 4 == 0)
            put_clock(w, i);
    }
    put_threads(w);
    put_totals(w);
    gen_end(w->gen, w->mono + STEP, w->clock ? (w->hits + 3) / 4 * CLOCK_NS : 0, 0);
    tell(w);
}

static void
options(struct world *w, u32 *tick_scale, int argc, char **argv)
{
    int c;

    while ((c = getopt(argc, argv, "c:n:m:t:f:r:k:w")) != -1) {
        if (c == 'c')
            take_names(w, optarg);
        else if (c == 'n')
            w->hits = strtoull(optarg, NULL, 10);
        else if (c == 'm')
            w->forest.nodes = (u32)strtoul(optarg, NULL, 10);
        else if (c == 't')
            w->threads = (u32)strtoul(optarg, NULL, 10);
        else if (c == 'f')
            w->forest.functions = (u32)strtoul(optarg, NULL, 10);
        else if (c == 'r')
            w->forest.seed = strtoull(optarg, NULL, 10);
        else if (c == 'k')
            *tick_scale = (u32)strtoul(optarg, NULL, 10);
        else if (c == 'w')
            w->clock = true;
        else
            exit(2);
    }
    if (optind + 1 == argc && w->kinds && w->threads && w->threads < 64 &&
        w->forest.nodes && w->forest.functions && w->forest.seed && *tick_scale)
        return;
    fprintf(stderr, "gen_counters: one experiment's name is needed, some of each, and "
                    "fewer than 64 threads\n");
    exit(2);
}

int
main(int argc, char **argv)
{
    struct world w = { .threads = 2, .hits = 1000, .mono = GEN_START + STEP };
    u32 tick_scale = 1;

    w.forest = (struct forest){ .nodes = 50, .functions = 10, .seed = 42 };
    options(&w, &tick_scale, argc, argv);
    w.gen = gen_start(argv[optind], tick_scale);
    build(&w);
    gen_finish(w.gen);
    forest_free(&w.forest);
    free(w.self);
    return 0;
}
