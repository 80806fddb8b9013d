/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_trace: writes an experiment of waits for locks and of I/O and prints its truth.
 *
 *   gen_trace [-s SYNC-EVENTS] [-i IO-EVENTS] [-m NODES] [-t THREADS] [-f FUNCTIONS]
 *             [-l LOCKS] [-F FILES] [-r SEED] [-k TICKS-PER-NS] [-x hostile]
 *             EXPERIMENT.er
 *
 * Truth, one a line; times in ns:
 *
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

    while ((c = getopt(argc, argv, "s:i:m:t:f:l:F:r:k:x:")) != -1)
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

int
main(int argc, char **argv)
{
    struct world w = { .threads = 2, .syncs = 1000, .ios = 1000, .locks = 20,
                       .files = 12, .mono = GEN_START + 1024 * STEP * STEP };
    u32 tick_scale = 1;

    w.forest = (struct forest){ .nodes = 50, .functions = 10, .seed = 42 };
    options(&w, &tick_scale, argc, argv);
    w.gen = gen_start(argv[optind], tick_scale);
    forest_make(&w.forest, w.gen);
    make_threads(&w);
    gen_syncs(&w);
    gen_ios(&w);
    gen_end(w.gen, w.mono + 1000000, 1000000, 0);
    gen_finish(w.gen);
    forest_free(&w.forest);
    return 0;
}
