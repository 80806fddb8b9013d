/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/merge.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/experiment.h"
#include "tests/gen/scene.h"

/* What came, in order. */
struct seen {
    struct event *event;
    u32 count;
};

static u32
translate(void *translator, const struct batch *batch, struct event *event)
{
    const struct schema_record *r = batch->record;
    bool begins = !strcmp(r->name, "alloc");
    int time = schema_find_field(r, "time"), addr = schema_find_field(r, "addr");

    cr_assert_eq(batch->count, 1);
    *event = (struct event){ .order = batch->row[time] << 1 | begins,
                             .addr = batch->row[addr],
                             .tag = batch->thread };
    if (translator && batch->thread == 2)
        event[1] = event[0];
    return translator && batch->thread == 2 ? 2 : 1;
}

static void
on_events(void *context, const struct event *event, u32 count)
{
    struct seen *seen = context;

    seen->event = realloc(seen->event, (seen->count + count) * sizeof(*event));
    memcpy(&seen->event[seen->count], event, count * sizeof(*event));
    seen->count += count;
}

static struct experiment *
write_and_open(char *dir, u32 threads, u32 records)
{
    char *path = scene_path(dir, "m.er"), *why;
    struct gen *gen = gen_start(path, 1);
    struct experiment *e;

    for (u32 i = 1; i <= threads; i++)
        gen_thread(gen, &(struct rec_thread){ .id = i });
    for (u32 i = 0; i < records; i++) {
        u32 thread = 1 + i * 7919 % threads;
        u64 mono = GEN_START + 16 * (i / 3); /* three at a time */
        struct rec_alloc alloc = { .addr = i, .node = 1 };
        struct rec_free end = { .addr = i };

        if (i % 3 == 1)
            gen_free(gen, thread, mono, &end);
        else
            gen_alloc(gen, thread, mono, &alloc);
    }
    gen_end(gen, GEN_START + 100 * MS, 0, 0);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&e, path, &why), 0);
    free(path);
    return e;
}

static void
check(u32 threads, u32 records, bool beside)
{
    char *dir = scene_dir();
    struct experiment *e = write_and_open(dir, threads, records);
    struct seen seen = { 0 };
    struct merge_sink sink = { translate, NULL, on_events, &seen };
    struct record_source source;
    struct record_count count;
    u32 ends = 0;

    cr_assert_eq(experiment_source(e, FILE_heaptrace, &source), 0);
    cr_assert_eq(merge_run(&source, &sink, beside, &count), 0);
    cr_assert_eq(seen.count, records);
    cr_assert_eq(count.records, records);
    cr_assert_eq(count.bad_chunks, 0);
    for (u32 i = 0; i < records; i++) {
        cr_assert(i == 0 || seen.event[i - 1].order >> 1 <= seen.event[i].order >> 1);
        ends += !(seen.event[i].order & 1);
    }
    cr_assert_eq(ends, (records + 1) / 3);
    free(seen.event);
    experiment_close(e);
    scene_remove(dir);
}

Test(merge, one_thread)
{
    check(1, 1, false);
    check(1, 30001, false);
}

Test(merge, many_threads)
{
    check(2, 30000, false);
    check(300, 30001, false);
}

Test(merge, beside_the_caller)
{
    check(5, 100000, true);
    check(1, 100000, true);
}

/* A record that became two events keeps them together where nothing is between. */
Test(merge, two_events_of_a_record)
{
    char *dir = scene_dir();
    struct experiment *e = write_and_open(dir, 2, 9000);
    struct seen seen = { 0 };
    struct merge_sink sink = { translate, &seen, on_events, &seen };
    struct record_source source;
    u32 of[3] = { 0 };

    cr_assert_eq(experiment_source(e, FILE_heaptrace, &source), 0);
    cr_assert_eq(merge_run(&source, &sink, false, NULL), 0);
    for (u32 i = 0; i < seen.count; i++)
        of[seen.event[i].tag]++;
    cr_assert_eq(of[1] + of[2] / 2, 9000);
    cr_assert_eq(of[2] % 2, 0);
    free(seen.event);
    experiment_close(e);
    scene_remove(dir);
}

/* At equal times what another thread ends comes before what one begins. */
Test(merge, ties)
{
    char *dir = scene_dir(), *path = scene_path(dir, "t.er"), *why;
    struct gen *gen = gen_start(path, 1);
    struct experiment *e;
    struct record_source source;
    struct seen seen = { 0 };
    struct merge_sink sink = { translate, NULL, on_events, &seen };

    for (u32 i = 0; i < 100; i++) {
        gen_alloc(gen, 1, GEN_START + 16 * i, &(struct rec_alloc){ .addr = i });
        gen_free(gen, 2, GEN_START + 16 * i, &(struct rec_free){ .addr = i });
    }
    gen_end(gen, GEN_START + MS, 0, 0);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&e, path, &why), 0);
    cr_assert_eq(experiment_source(e, FILE_heaptrace, &source), 0);
    cr_assert_eq(merge_run(&source, &sink, false, NULL), 0);
    for (u32 i = 0; i < 200; i++) {
        cr_assert_eq(seen.event[i].addr, i / 2);
        cr_assert_eq(seen.event[i].tag, i % 2 ? 1 : 2);
    }
    free(seen.event);
    experiment_close(e);
    scene_remove(dir);
    free(path);
}

/* Within a chunk its order rules, whatever the times. */
Test(merge, time_that_steps_back)
{
    char *dir = scene_dir(), *path = scene_path(dir, "b.er"), *why;
    struct gen *gen = gen_start(path, 1);
    static const u32 at[] = { 1000, 5000, 3000, 4000, 9000 };
    struct experiment *e;
    struct record_source source;
    struct seen seen = { 0 };
    struct merge_sink sink = { translate, NULL, on_events, &seen };

    gen_thread(gen, &(struct rec_thread){ .id = 1 });
    for (u32 i = 0; i < ER_COUNT(at); i++)
        gen_alloc(gen, 1, GEN_START + at[i], &(struct rec_alloc){ .addr = i });
    gen_alloc(gen, 2, GEN_START + 4500, &(struct rec_alloc){ .addr = 77 });
    gen_end(gen, GEN_START + MS, 0, 0);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&e, path, &why), 0);
    cr_assert_eq(experiment_source(e, FILE_heaptrace, &source), 0);
    cr_assert_eq(merge_run(&source, &sink, false, NULL), 0);
    cr_assert_eq(seen.count, 6);
    for (u32 i = 0, next = 0; i < 6; i++) {
        if (seen.event[i].addr == 77)
            cr_assert_eq(i, 1); /* before 5000, behind which the others queue */
        else
            cr_assert_eq(seen.event[i].addr, next++);
    }
    free(seen.event);
    experiment_close(e);
    scene_remove(dir);
    free(path);
}
