/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_regions: writes an experiment of regions of any number and prints its truth.
 *
 *   gen_regions [-n STEPS] [-t THREADS] EXPERIMENT.er
 *
 * Each thread has a region "run" with its share of STEPS instances of "step", each of
 * which has a "read" and a "solve"; an interval of each thread but the last is ended by
 * the next thread. The first thread does not end its "run". They are on a processor for
 * three of four nanoseconds. Truth, a line each: "region PATH COUNT NS".
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/gen/gen.h"

enum {
    BIAS = 0x555500000000,
    READ_NS = 300,
    SOLVE_NS = 700,
    REST_NS = 100, /* of a step, in neither */
    USAGE_NS = 100000,
    PATHS = 4,
};

static const char *const names[PATHS] = { "run", "step", "read", "solve" };
static const u32 parents[PATHS] = { 0, 1, 2, 2 };

struct world {
    u64 steps;
    u32 threads;
    struct gen *gen;
    u64 count[PATHS];
    u64 ns[PATHS];
};

/* The id of a thread's path; 0 = none. */
static u32
id_of(u32 thread, u32 path)
{
    return path ? (thread - 1) * PATHS + path : 0;
}

static void
span(struct world *w, u32 thread, u32 path, u64 end, u64 took)
{
    struct rec_span r = { .took = took, .path = id_of(thread, path + 1) };

    gen_span(w->gen, thread, end, &r);
    w->count[path]++;
    w->ns[path] += took;
}

static void
usage(struct world *w, u32 thread, u64 begin, u64 mono)
{
    struct rec_usage r = { .cpu = (mono - begin) * 3 / 4,
                           .minflt = (mono - begin) / 1000 };

    gen_usage(w->gen, thread, mono, &r);
}

static void
notice(struct world *w, u32 thread, u64 mono, struct rec_notice r, const char *text)
{
    r.text = (struct er_str){ text, (u32)strlen(text) };
    gen_notice(w->gen, thread, mono, &r);
}

static void
make_thread(struct world *w, u32 thread)
{
    u64 begin = GEN_START + 1000 * thread, mono = begin, read = begin;
    u64 steps = w->steps / w->threads;
    struct rec_thread row = { .id = thread, .tid = 4000 + thread, .birth = begin };

    for (u32 i = 0; i < PATHS; i++) {
        struct rec_path r = { .id = id_of(thread, i + 1),
                              .parent = id_of(thread, parents[i]), .node = 1,
                              .name = { names[i], (u32)strlen(names[i]) } };

        gen_path(w->gen, thread, begin, &r);
    }
    usage(w, thread, begin, begin);
    for (u64 i = 0; i < steps; i++) {
        span(w, thread, 2, mono + READ_NS, READ_NS);
        span(w, thread, 3, mono + READ_NS + SOLVE_NS, SOLVE_NS);
        mono += READ_NS + SOLVE_NS + REST_NS;
        span(w, thread, 1, mono, READ_NS + SOLVE_NS + REST_NS);
        if (mono - read >= USAGE_NS)
            usage(w, thread, begin, read = mono);
    }
    usage(w, thread, begin, mono);
    notice(w, thread, mono,
           (struct rec_notice){ .what = NOTICE_INTERVAL, .value = thread }, "request");
    if (thread > 1) {
        span(w, thread, 0, mono, mono - begin);
        notice(w, thread, mono + 500,
               (struct rec_notice){ .what = NOTICE_INTERVAL_END,
                                    .value = thread - 1 }, "");
    } else {
        notice(w, thread, mono,
               (struct rec_notice){ .what = NOTICE_OPEN, .since = mono - begin,
                                    .path = id_of(thread, 1) }, "");
        notice(w, thread, mono, (struct rec_notice){ .what = NOTICE_MARK }, "here");
    }
    row.death = mono + 1000;
    gen_thread(w->gen, &row);
}

static u64
number(const char *text)
{
    char *end;
    u64 n = strtoull(text, &end, 0);

    if (*end || !*text || n < 1 || n > 1000000000) {
        fprintf(stderr, "gen_regions: '%s' is no number from 1 to 1000000000\n", text);
        exit(2);
    }
    return n;
}

static void
tell(const struct world *w)
{
    static const char *const path[PATHS] = { "run", "run/step", "run/step/read",
                                             "run/step/solve" };

    for (u32 i = 0; i < PATHS; i++)
        printf("region %s %llu %llu\n", path[i], (unsigned long long)w->count[i],
               (unsigned long long)w->ns[i]);
}

int
main(int argc, char **argv)
{
    struct world w = { .steps = 1000, .threads = 2 };
    int c;

    while ((c = getopt(argc, argv, "n:t:")) != -1) {
        if (c == 'n')
            w.steps = number(optarg);
        else if (c == 't')
            w.threads = (u32)number(optarg);
        else
            exit(2);
    }
    if (optind + 1 != argc || w.threads >= GEN_THREADS_MAX) {
        fprintf(stderr, "gen_regions: one experiment's name is needed\n");
        exit(2);
    }
    w.gen = gen_start(argv[optind], 1);
    gen_object(w.gen, 1, "/gen/app", "abcd0001", BIAS, BIAS + GEN_CODE,
               BIAS + GEN_CODE + 4 * GEN_FUNC_BYTES, "main");
    gen_archive(w.gen, "/gen/app", "abcd0001", "f", "/gen/app.c", 4, 0);
    gen_node(w.gen, 0, 1, BIAS + GEN_CODE + 8, 0);
    for (u32 i = 1; i <= w.threads; i++)
        make_thread(&w, i);
    gen_end(w.gen, GEN_START + 1200 * w.steps / w.threads + 1000000, 1000000, 0);
    gen_finish(w.gen);
    tell(&w);
    return 0;
}
