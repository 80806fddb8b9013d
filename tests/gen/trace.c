/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_trace: writes an experiment of waits for locks, of I/O, and if asked of clock
 * hits and heap blocks, and prints its truth; the same once more for each descendant.
 *
 *   gen_trace [-s SYNC-EVENTS] [-i IO-EVENTS] [-c CLOCK-HITS] [-a HEAP-EVENTS]
 *             [-m NODES] [-t THREADS] [-f FUNCTIONS] [-l LOCKS] [-F FILES] [-r SEED]
 *             [-k TICKS-PER-NS] [-d DESCENDANTS] [-x hostile] EXPERIMENT.er
 *
 * Truth, one a line; times in ns:
 *
 *   clock TIME
 *   clock-function NAME then this, exclusive, and inclusive
 *   heap ALLOCATIONS BYTES
 *   heap-function NAME then these two, exclusive, and inclusive
 *   sync WAIT WAITS HOLD HOLDS EVENTS
 *   sync-function NAME then the first four, exclusive, and inclusive
 *   lock|ADDRESS|KIND|WAITS|CONTENDED|FAILED|WAIT|LONGEST-WAIT|HOLDS|HOLD|LONGEST-HOLD
 *       |THREADS|RENEWED
 *   io READS BYTES TIME WRITES BYTES TIME OTHERS TIME WAITS TIME ERRORS TIME EVENTS
 *   io-function NAME then the first twelve, exclusive, and inclusive
 *   name NAME OPENS and these twelve
 *   open ID DESCRIPTOR NAME and these twelve
 *   error NUMBER COUNT TIME
 */
#include "tests/gen/trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static u64
number(const char *text)
{
    char *end;
    u64 n = strtoull(text, &end, 0);

    if (*end || !*text || n > 1000000000) {
        fprintf(stderr, "gen_trace: '%s' is not a number up to 1000000000\n", text);
        exit(2);
    }
    return n;
}

static void
option(struct world *w, u32 *tick_scale, int c)
{
    switch (c) {
    case 'c':
        w->clocks = number(optarg);
        break;
    case 'a':
        w->blocks = number(optarg);
        break;
    case 'd':
        w->descendants = (u32)number(optarg);
        break;
    case 's':
        w->syncs = number(optarg);
        break;
    case 'i':
        w->ios = number(optarg);
        break;
    case 'm':
        w->forest.nodes = (u32)number(optarg);
        break;
    case 't':
        w->threads = (u32)number(optarg);
        break;
    case 'f':
        w->forest.functions = (u32)number(optarg);
        break;
    case 'l':
        w->locks = (u32)number(optarg);
        break;
    case 'F':
        w->files = (u32)number(optarg);
        break;
    case 'r':
        w->forest.seed = number(optarg);
        break;
    case 'k':
        *tick_scale = (u32)number(optarg);
        break;
    case 'x':
        w->hostile = !strcmp(optarg, "hostile");
        break;
    default:
        exit(2);
    }
}

static void
options(struct world *w, u32 *tick_scale, int argc, char **argv)
{
    int c;

    while ((c = getopt(argc, argv, "s:i:c:a:d:m:t:f:l:F:r:k:x:")) != -1)
        option(w, tick_scale, c);
    if (optind + 1 == argc && w->threads && w->threads < GEN_THREADS_MAX && w->locks &&
        w->files && w->forest.nodes && w->forest.functions && *tick_scale)
        return;
    fprintf(stderr, "gen_trace: one experiment's name is needed, and some of each\n");
    exit(2);
}

static void
make_threads(struct world *w)
{
    for (u32 i = 1; i <= w->threads; i++) {
        struct rec_thread row = { .id = i, .tid = 4000 + i, .birth = GEN_START + i };

        gen_thread(w->gen, &row);
    }
}

/* Clock hits and blocks come while there are waits and I/O. */
static void
make_process(struct world *w, const char *path, u32 tick_scale)
{
    static void (*const kinds[])(struct world *) = { gen_syncs, gen_ios, gen_clocks,
                                                     gen_blocks };
    u64 start = GEN_START + 1024 * STEP * STEP, end = start;

    w->gen = gen_start(path, tick_scale);
    forest_make(&w->forest, w->gen);
    make_threads(w);
    w->mono = start;
    for (u32 i = 0; i < ER_COUNT(kinds); i++) {
        if (i > 1)
            w->mono = start;
        kinds[i](w);
        end = w->mono > end ? w->mono : end;
    }
    gen_end(w->gen, end + 1000000, 1000000 + w->clocks * 1000000, 0);
    gen_finish(w->gen);
    forest_free(&w->forest);
}

int
main(int argc, char **argv)
{
    struct world w = { .threads = 2, .syncs = 1000, .ios = 1000, .locks = 20,
                       .files = 12 };
    u32 tick_scale = 1;

    w.forest = (struct forest){ .nodes = 50, .functions = 10, .seed = 42 };
    options(&w, &tick_scale, argc, argv);
    make_process(&w, argv[optind], tick_scale);
    for (u32 i = 1; i <= w.descendants; i++) {
        char path[4096];

        snprintf(path, sizeof(path), "%s/_f%u.er", argv[optind], i);
        make_process(&w, path, tick_scale);
    }
    return 0;
}
