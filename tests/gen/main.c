/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_experiment: writes an experiment of any size and prints its truth.
 *
 *   gen_experiment [-n SAMPLES] [-m NODES] [-t THREADS] [-f FUNCTIONS] [-s SEED]
 *                  [-k TICKS-PER-NS] [-x DAMAGE] EXPERIMENT.er
 *
 * Truth, in ns, one a line:
 *
 *   total USER SYSTEM
 *   function NAME EXCLUSIVE INCLUSIVE      (user and system together)
 *   thread ID CPU                          (0 = of no thread)
 *
 * DAMAGE, of which the truth does not know: killed (no end, reserved tails), torn
 * (log.xml ends within a line), header, data (a byte in a chunk's header or records is
 * changed), cycle (nodes whose parents are above them).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/gen/gen.h"

enum {
    BIAS = 0x555500000000,
    BATCH_STEP = 1000000, /* ns between the samples of a thread */
    STARTUP = 3000000,
    PAUSED_USER = 77777, /* not of the total */
    PAUSED_SYSTEM = 8888,
    LEFT_OVER = 1234567, /* what nothing explains */
};

struct plan {
    u64 samples;
    u32 nodes;
    u32 threads;
    u32 functions;
    u32 tick_scale;
    u64 seed;
    const char *damage;
    const char *path;
};

/* A node as it was made: for the truth. */
struct made {
    u32 parent;
    u32 func;
    bool inlined;
};

struct world {
    struct plan plan;
    struct gen *gen;
    struct made *node;
    u64 *self;   /* ns by node */
    u64 *thread; /* ns by thread */
    u64 user, system;
};

/* xorshift64* (Vigna, 2016). */
static u64
next_random(struct world *w)
{
    u64 x = w->plan.seed;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    w->plan.seed = x;
    return x * 0x2545f4914f6cdd1d;
}

static u32
below(struct world *w, u32 n)
{
    return (u32)((next_random(w) >> 32) % n);
}

/*
 * The id of the nth node, from 1. Threads take ids in batches of 32, so that a parent's
 * id may be the higher one: here batches change places in pairs.
 */
static u32
id_of(u32 n)
{
    return n ? 1 + (((n - 1) / 32) ^ 1) * 32 + (n - 1) % 32 : 0;
}

static void
make_node(struct world *w, u32 id)
{
    struct made *n = &w->node[id];
    u32 slot = below(w, GEN_FUNC_BYTES / 8);
    bool exact = below(w, 4) == 0;
    u64 pc;

    *n = (struct made){ .func = id == 1 ? 0 : below(w, w->plan.functions) };
    /* Mostly below a recent node, so that stacks are deep. */
    if (id > 1)
        n->parent = below(w, 8) ? id - 1 - below(w, id > 20 ? 20 : id - 1)
                                : 1 + below(w, id - 1);
    n->inlined = n->func % 5 == 0 && slot * 8 >= GEN_INLINE_FROM &&
                 slot * 8 < GEN_INLINE_TO;
    pc = BIAS + GEN_CODE + (u64)n->func * GEN_FUNC_BYTES + slot * 8;
    /* A return address stands behind its call. */
    gen_node_at(w->gen, id_of(id), id_of(n->parent), 1, exact ? pc : pc + 8,
                exact ? NODE_EXACT : 0);
}

static void
make_threads(struct world *w)
{
    for (u32 i = 1; i <= w->plan.threads; i++) {
        struct rec_thread row = {
            .id = i,
            .tid = 4000 + i,
            .birth = GEN_START + i,
            .start = BIAS + GEN_CODE,
            .instance = 1,
            .source = SOURCE_PERF | SOURCE_TIMER,
        };

        row.seen = w->plan.samples / w->plan.threads +
                   (i <= w->plan.samples % w->plan.threads);
        snprintf(row.name.c, sizeof(row.name.c), "worker%u", i);
        gen_thread(w->gen, &row);
    }
}

static void
charge(struct world *w, u32 thread, u64 user, u64 system)
{
    w->user += user;
    w->system += system;
    w->thread[thread] += user + system;
}

static void
make_sample(struct world *w, u64 i)
{
    u32 thread = 1 + (u32)(i % w->plan.threads);
    u32 node = 1 + below(w, w->plan.nodes);
    struct rec_clock r = {
        .node = id_of(node),
        .cpu = below(w, 2),
        .mstate = below(w, 10) < 3,
        .weight = 1000000,
    };

    if (below(w, 50) == 0)
        r.weight *= 2; /* an overrun */
    gen_clock(w->gen, thread, GEN_START + (i / w->plan.threads + 1) * BATCH_STEP, &r);
    charge(w, thread, r.mstate ? 0 : r.weight, r.mstate ? r.weight : 0);
    w->self[node] += r.weight;
}

static void
make_residuals(struct world *w, u64 mono)
{
    struct rec_residual startup = { .kind = RESIDUAL_STARTUP, .user = STARTUP };
    struct rec_residual paused = {
        .kind = RESIDUAL_PAUSED, .user = PAUSED_USER, .system = PAUSED_SYSTEM
    };

    gen_residual(w->gen, 1, GEN_START + 1, &startup);
    charge(w, 1, STARTUP, 0);
    for (u32 i = 1; i <= w->plan.threads; i++) {
        struct rec_residual rest = {
            .kind = RESIDUAL_UNATTRIBUTED, .user = 0 - (u64)i, .system = 2 * i
        };

        gen_residual(w->gen, i, mono, &rest);
        charge(w, i, rest.user, rest.system);
    }
    gen_residual(w->gen, 1, mono, &paused);
}

static void
make_samples(struct world *w, u64 end)
{
    for (u64 mono = GEN_START, n = 0; n <= 10; n++, mono += (end - GEN_START) / 10) {
        struct rec_sample r = {
            .cause = n == 0 ? CAUSE_START : n == 10 ? CAUSE_END : CAUSE_PERIODIC,
            .user = w->user * n / 10,
            .system = w->system * n / 10,
            .threads = w->plan.threads,
            .known = 1 << 0 | 1 << 1 | 1 << 10,
        };

        gen_sample(w->gen, 0, mono, &r);
    }
}

static void
build(struct world *w)
{
    u64 end = GEN_START + (w->plan.samples / w->plan.threads + 2) * BATCH_STEP;
    bool killed = w->plan.damage && !strcmp(w->plan.damage, "killed");

    w->gen->keep_tail = w->gen->unsealed = killed;
    gen_object(w->gen, 1, "/gen/app", "abcd0001", BIAS, BIAS + GEN_CODE,
               BIAS + GEN_CODE + (u64)w->plan.functions * GEN_FUNC_BYTES, "main");
    gen_archive(w->gen, "/gen/app", "abcd0001", "f", "/gen/app.c", w->plan.functions,
                5);
    for (u32 id = 1; id <= w->plan.nodes; id++)
        make_node(w, id);
    make_threads(w);
    for (u64 i = 0; i < w->plan.samples; i++)
        make_sample(w, i);
    make_residuals(w, end - 1);
    if (!killed) {
        charge(w, 0, LEFT_OVER, 0);
        gen_end(w->gen, end, w->user + PAUSED_USER, w->system + PAUSED_SYSTEM);
    }
    make_samples(w, end);
}

static void
damage_failed(const char *path)
{
    fprintf(stderr, "gen_experiment: cannot damage %s: %s\n", path, strerror(errno));
    exit(2);
}

static int
open_file(const struct world *w, const char *name)
{
    char path[4096];
    int fd;

    snprintf(path, sizeof(path), "%s/%s", w->plan.path, name);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        damage_failed(path);
    return fd;
}

static void
flip(const struct world *w, const char *name, off_t at)
{
    int fd = open_file(w, name);
    unsigned char c;

    if (pread(fd, &c, 1, at) != 1)
        damage_failed(name);
    c ^= 0x55;
    if (pwrite(fd, &c, 1, at) != 1)
        damage_failed(name);
    close(fd);
}

static void
cut_tail(const struct world *w, const char *name, off_t bytes)
{
    int fd = open_file(w, name);
    off_t end = lseek(fd, 0, SEEK_END);

    if (ftruncate(fd, end - bytes) < 0)
        damage_failed(name);
    close(fd);
}

/* Give every third node a parent that is not below it. */
static void
make_cycles(const struct world *w)
{
    int fd = open_file(w, "frameinfo");

    for (u32 id = 3; id <= w->plan.nodes; id += 3) {
        u32 parent = id + id % 7;

        if (pwrite(fd, &parent, 4, (off_t)id * ER_NODE_BYTES) != 4)
            damage_failed("frameinfo");
    }
    close(fd);
}

static void
damage(const struct world *w)
{
    const char *kind = w->plan.damage ? w->plan.damage : "";

    if (!strcmp(kind, "torn"))
        cut_tail(w, "log.xml", 40);
    else if (!strcmp(kind, "header"))
        flip(w, "profile", 20);
    else if (!strcmp(kind, "data"))
        flip(w, "profile", sizeof(struct er_chunk) + 9);
    else if (!strcmp(kind, "cycle"))
        make_cycles(w);
}

/* Sums of the functions f0 … and behind them inlined_0 …, each stack on its own. */
static void
tell_functions(const struct world *w)
{
    u32 count = 2 * w->plan.functions;
    u64 *excl = calloc(count, sizeof(*excl)), *incl = calloc(count, sizeof(*incl));
    u32 *seen = calloc(count, sizeof(*seen));

    for (u32 id = 1; id <= w->plan.nodes; id++) {
        const struct made *leaf = &w->node[id];

        if (!w->self[id])
            continue;
        excl[leaf->func + leaf->inlined * w->plan.functions] += w->self[id];
        for (u32 at = id; at; at = w->node[at].parent) {
            const struct made *n = &w->node[at];

            for (u32 f = n->func; f < count; f += w->plan.functions) {
                if (f == n->func || n->inlined)
                    incl[f] += seen[f] == id ? 0 : w->self[id];
                if (f == n->func || n->inlined)
                    seen[f] = id;
            }
        }
    }
    for (u32 f = 0; f < count; f++) {
        if (incl[f])
            printf("function %s%u %llu %llu\n",
                   f < w->plan.functions ? "f" : "inlined_", f % w->plan.functions,
                   (unsigned long long)excl[f], (unsigned long long)incl[f]);
    }
    free(excl);
    free(incl);
    free(seen);
}

static void
tell(const struct world *w)
{
    printf("total %lld %lld\n", (long long)w->user, (long long)w->system);
    tell_functions(w);
    for (u32 i = 0; i <= w->plan.threads; i++)
        printf("thread %u %lld\n", i, (long long)w->thread[i]);
}

static u64
number(const char *text, u64 least, u64 most)
{
    char *end;
    u64 n = strtoull(text, &end, 0);

    if (*end || !*text || n < least || n > most) {
        fprintf(stderr, "gen_experiment: '%s' is not a number from %llu to %llu\n",
                text, (unsigned long long)least, (unsigned long long)most);
        exit(2);
    }
    return n;
}

static void
options(struct plan *plan, int argc, char **argv)
{
    int c;

    while ((c = getopt(argc, argv, "n:m:t:f:s:k:x:")) != -1) {
        if (c == 'n')
            plan->samples = number(optarg, 0, 1000000000);
        else if (c == 'm')
            plan->nodes = (u32)number(optarg, 1, 100000000);
        else if (c == 't')
            plan->threads = (u32)number(optarg, 1, GEN_THREADS_MAX - 1);
        else if (c == 'f')
            plan->functions = (u32)number(optarg, 1, 1000000);
        else if (c == 's')
            plan->seed = number(optarg, 1, UINT64_MAX);
        else if (c == 'k')
            plan->tick_scale = (u32)number(optarg, 1, 100);
        else if (c == 'x')
            plan->damage = optarg;
        else
            exit(2);
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "gen_experiment: one experiment's name is needed\n");
        exit(2);
    }
    plan->path = argv[optind];
}

int
main(int argc, char **argv)
{
    struct world w = { .plan = { 1000, 100, 2, 20, 1, 42, NULL, NULL } };

    options(&w.plan, argc, argv);
    w.node = calloc(w.plan.nodes + 1, sizeof(*w.node));
    w.self = calloc(w.plan.nodes + 1, sizeof(*w.self));
    w.thread = calloc(w.plan.threads + 1, sizeof(*w.thread));
    if (!w.node || !w.self || !w.thread)
        return 2;
    w.gen = gen_start(w.plan.path, w.plan.tick_scale);
    build(&w);
    gen_finish(w.gen);
    damage(&w);
    tell(&w);
    free(w.node);
    free(w.self);
    free(w.thread);
    return 0;
}
