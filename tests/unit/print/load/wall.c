/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/wall.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/gen/scene.h"

enum {
    END = 100 * MS, /* of the run */
    TICKS = 3,      /* a nanosecond */
    GIVEN_MAX = 16,
};

/* What was handed on. */
struct given {
    u32 thread, node, state;
    u64 time, ns;
};

static struct given given[GIVEN_MAX];
static u32 count;
static char *dir;

static void
on_batch(void *context, const struct batch *batch)
{
    const struct schema_record *r = batch->record;

    (void)context;
    cr_assert_str_eq(r->name, "off");
    cr_assert_eq(batch->count, 1);
    cr_assert_eq(batch->worker, 0);
    cr_assert_lt(count, GIVEN_MAX);
    given[count++] = (struct given){
        .thread = batch->thread,
        .node = (u32)batch->row[schema_find_number(r, "node")],
        .state = (u32)batch->row[schema_find_number(r, "mstate")],
        .time = batch->row[schema_find_number(r, "time")],
        .ns = batch->row[schema_find_number(r, "weight")],
    };
}

static struct gen *
begin(const char *wall)
{
    char *path, line[80];
    struct gen *gen;

    dir = scene_dir();
    path = scene_path(dir, "a.er");
    gen = gen_start(path, TICKS);
    snprintf(line, sizeof(line), "<collect wall=\"%s\"/>\n", wall);
    if (*wall)
        gen_log(gen, line);
    free(path);
    return gen;
}

static void
feed(struct gen *gen)
{
    char *path = scene_path(dir, "a.er"), *why;
    const struct record_sink sink = { .batch = on_batch };
    struct record_source source;
    struct experiment *e;

    gen_end(gen, GEN_START + END, MS, 0);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&e, path, &why), 0);
    cr_assert_eq(experiment_source(e, FILE_profile, &source), 0);
    cr_assert_eq(wall_feed(e, &source, &sink), 0);
    experiment_close(e);
    scene_remove(dir);
    free(path);
}

static void
off(struct gen *gen, u32 thread, u32 state, u64 ns)
{
    struct rec_off record = { .node = 1, .mstate = state, .weight = ns };

    gen_off(gen, thread, GEN_START + END / 2, &record);
}

static void
check(u32 at, u32 thread, u32 node, u32 state, u64 ns)
{
    cr_assert_lt(at, count);
    cr_assert_eq(given[at].thread, thread);
    cr_assert_eq(given[at].node, node);
    cr_assert_eq(given[at].state, state);
    cr_assert_eq(given[at].ns, ns);
}

Test(wall, run_delay_that_no_record_tells_of_and_what_nothing_explains)
{
    const u32 shift = er_files[FILE_profile].time_shift;
    struct gen *gen = begin("1");

    gen_thread(gen, &(struct rec_thread){
        .id = 1, .tid = 11, .birth = GEN_START, .death = GEN_START + END - 10 * MS,
        .cpu_birth = 5 * MS, .cpu_last = 25 * MS, .delay_birth = MS,
        .delay_last = 11 * MS, .wait_since = 1, .wait_state = MSTATE_IO });
    off(gen, 1, MSTATE_WAIT, 4 * MS);
    off(gen, 1, MSTATE_LOCK, 30 * MS);
    feed(gen);
    /* Of 90 ms, 20 are CPU time and 34 told; of 10 of delay, 4 are told. */
    check(0, 1, WALL_NODE, MSTATE_WAIT, 6 * MS);
    check(1, 1, WALL_NODE, MSTATE_SLEEP, 30 * MS);
    cr_assert_eq(count, 2);
    /* When it ended, in ticks of the file, to one of them. */
    cr_assert_eq(given[0].time, given[1].time);
    cr_assert_leq(llabs((long long)(given[0].time << shift) -
                        (long long)(GEN_START + END - 10 * MS) * TICKS), 1 << shift);
}

Test(wall, the_call_that_a_thread_was_in_at_the_end)
{
    struct gen *gen = begin("1");
    struct rec_thread row = { .id = 1, .tid = 11, .birth = GEN_START,
                              .cpu_last = 10 * MS, .wait_node = 7,
                              .wait_since = (GEN_START + 60 * (u64)MS) * TICKS,
                              .wait_state = MSTATE_LOCK };

    gen_thread(gen, &row);
    off(gen, 1, MSTATE_IO, 20 * MS);
    /* No more than there is; of no stack where none is told. */
    row = (struct rec_thread){ .id = 2, .tid = 12, .birth = GEN_START,
                               .cpu_last = 70 * MS,
                               .wait_since = (GEN_START + 10 * (u64)MS) * TICKS,
                               .wait_state = MSTATE_FAULT };
    gen_thread(gen, &row);
    /* A state that nobody knows is none. */
    row.id = 3;
    row.wait_state = MSTATE_COUNT;
    gen_thread(gen, &row);
    feed(gen);
    check(0, 1, 7, MSTATE_LOCK, 40 * MS);
    check(1, 1, WALL_NODE, MSTATE_SLEEP, 30 * MS);
    check(2, 2, WALL_NODE, MSTATE_FAULT, 30 * MS);
    check(3, 3, WALL_NODE, MSTATE_SLEEP, 30 * MS);
    cr_assert_eq(count, 4);
}

Test(wall, nothing_where_all_is_told_or_nothing_is_known)
{
    struct gen *gen = begin("1");

    gen_thread(gen, &(struct rec_thread){ .id = 1, .tid = 11, .birth = GEN_START,
                                          .cpu_last = 60 * MS, .delay_last = 90 * MS });
    off(gen, 1, MSTATE_STOP, 50 * MS);
    gen_thread(gen, &(struct rec_thread){ .id = 2, .birth = GEN_START });
    gen_thread(gen, &(struct rec_thread){ .id = 3, .tid = 13 });
    feed(gen);
    cr_assert_eq(count, 0);
}

Test(wall, only_where_wall_time_was_asked_for)
{
    static const char *const none[] = { "", "0" };

    for (u32 i = 0; i < ER_COUNT(none); i++) {
        struct gen *gen = begin(none[i]);

        gen_thread(gen, &(struct rec_thread){ .id = 1, .tid = 11,
                                              .birth = GEN_START });
        off(gen, 1, MSTATE_IO, MS);
        feed(gen);
        cr_assert_eq(count, 0);
    }
}
