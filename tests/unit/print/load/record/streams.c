/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/streams.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "print/load/experiment.h"
#include "tests/gen/scene.h"

enum {
    SOURCES = 3,
    THREADS = 2,
    RECORDS = 5000,
};

struct item {
    int64_t moment;
    u32 tag;
};

struct seen {
    u32 count;
    u32 stop; /* 0 = never */
    int64_t moment;
    u32 last[SOURCES][THREADS];
};

static struct experiment *experiment[SOURCES];
static struct record_source source[SOURCES];
static char *dir;

/* Each source's clock is 1 ms ahead of the one before; the last has no data. */
static void
write_one(u32 number)
{
    char name[8], *path, *why;
    struct gen *gen;

    snprintf(name, sizeof(name), "s%u.er", number);
    path = scene_path(dir, name);
    gen = gen_start(path, 1);
    for (u32 i = 1; i <= THREADS; i++)
        gen_thread(gen, &(struct rec_thread){ .id = i });
    for (u32 i = 0; i < RECORDS && number + 1 < SOURCES; i++) {
        struct rec_mpi r = { .tag = i, .node = 1 };

        gen_mpi(gen, 1 + i % THREADS, GEN_START + number * MS + 4096 * i, &r);
    }
    gen_end(gen, GEN_START + 100 * MS, MS, 0);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&experiment[number], path, &why), 0);
    if (number + 1 < SOURCES)
        cr_assert_eq(experiment_source(experiment[number], FILE_mpitrace,
                                       &source[number]), 0);
    free(path);
}

static void
up(void)
{
    dir = scene_dir();
    for (u32 i = 0; i < SOURCES; i++)
        write_one(i);
}

static void
down(void)
{
    for (u32 i = 0; i < SOURCES; i++)
        experiment_close(experiment[i]);
    scene_remove(dir);
}

static bool
translate(void *context, u32 number, const struct batch *batch, void *out)
{
    int time = schema_find_field(batch->record, "time");
    int tag = schema_find_field(batch->record, "tag");
    struct item *item = out;

    (void)context;
    cr_assert_eq(batch->count, 1);
    *item = (struct item){ (int64_t)(batch->row[time] << 4) - (int64_t)number * MS,
                           (u32)batch->row[tag] };
    return item->tag % 10 != 9;
}

static int64_t
moment(void *context, u32 number, u64 tick)
{
    (void)context;
    return (int64_t)tick - (int64_t)number * MS;
}

static bool
use(void *context, u32 number, const void *event)
{
    struct seen *seen = context;
    const struct item *item = event;
    u32 *last = &seen->last[number][item->tag % THREADS];

    cr_assert_geq(item->moment, seen->moment);
    cr_assert(!*last || item->tag > *last);
    seen->moment = item->moment;
    *last = item->tag;
    return ++seen->count != seen->stop;
}

static int
run(struct seen *seen)
{
    const struct streams_sink sink = { translate, moment, use, seen,
                                       sizeof(struct item) };

    return streams_run(source, SOURCES, &sink);
}

Test(streams, all_come_in_the_order_of_one_clock, .init = up, .fini = down)
{
    struct seen seen = { 0 };

    cr_assert_eq(run(&seen), 0);
    cr_assert_eq(seen.count, (SOURCES - 1) * RECORDS / 10 * 9);
}

Test(streams, one_may_stop, .init = up, .fini = down)
{
    struct seen seen = { .stop = 100 };

    cr_assert_eq(run(&seen), 0);
    cr_assert_eq(seen.count, 100);
}

Test(streams, nothing_at_all)
{
    struct seen seen = { 0 };

    cr_assert_eq(run(&seen), 0);
    cr_assert_eq(seen.count, 0);
}
