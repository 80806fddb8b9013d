/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/reconcile.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/experiment.h"
#include "tests/gen/scene.h"

enum {
    TICKS = 3, /* a nanosecond */
};

/* What a thread's records say, summed up. */
struct sums {
    int64_t user, system, rest_user, rest_system;
};

static struct sums sums[4];

static void
on_batch(void *context, const struct batch *batch)
{
    const struct schema_record *r = batch->record;
    struct sums *to = &sums[batch->thread];
    int weight = schema_find_number(r, "weight");

    (void)context;
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (size_t)i * r->nfields;

        if (weight < 0) {
            to->rest_user += (int64_t)row[schema_find_number(r, "user")];
            to->rest_system += (int64_t)row[schema_find_number(r, "system")];
        } else if (row[schema_find_number(r, "mstate")]) {
            to->system += (int64_t)row[weight];
        } else {
            to->user += (int64_t)row[weight];
        }
    }
}

static void
add_thread(struct gen *gen, u32 id, u64 user, u64 system, int64_t rest_user,
           int64_t rest_system)
{
    struct rec_clock hit = { .node = 1 };
    struct rec_residual rest = { .kind = RESIDUAL_UNATTRIBUTED,
                                 .user = (u64)rest_user,
                                 .system = (u64)rest_system };

    gen_thread(gen, &(struct rec_thread){ .id = id, .tid = 100 + id });
    for (u64 i = 0; i < 10; i++) {
        hit.mstate = 0;
        hit.weight = user / 10;
        gen_clock(gen, id, GEN_START + i * MS, &hit);
        hit.mstate = 1;
        hit.weight = system / 10;
        gen_clock(gen, id, GEN_START + i * MS, &hit);
    }
    gen_residual(gen, id, GEN_START + 20 * MS, &rest);
}

Test(reconcile, a_rest_is_not_negative)
{
    static const int64_t cases[][4] = {
        { 5, 7, 5, 7 },  { -3, 5, 0, 2 },  { 5, -3, 2, 0 },
        { -5, 3, 0, 0 }, { 3, -5, 0, 0 }, { -1, -1, 0, 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int64_t user = cases[i][0], system = cases[i][1];

        reconcile_rest(&user, &system);
        cr_expect(user == cases[i][2] && system == cases[i][3], "case %zu", i);
    }
}

Test(reconcile, hits_give_way_to_the_account)
{
    char *dir = scene_dir(), *path = scene_path(dir, "a.er"), *why;
    struct gen *gen = gen_start(path, TICKS);
    struct record_sink sink = { on_batch, NULL, false };
    struct record_source source;
    struct experiment *e;

    gen_node(gen, 0, 0, 0x1000, 0);
    add_thread(gen, 1, 1000, 500, -100, 40); /* 60 too much: of the system time */
    add_thread(gen, 2, 1000, 100, -200, -100); /* 300: all of that, and 200 more */
    add_thread(gen, 3, 1000, 500, -100, 140); /* the kernel's parts are others */
    gen_end(gen, GEN_START + 30 * MS, 3800, 580);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&e, path, &why), 0);
    cr_assert_eq(experiment_source(e, FILE_profile, &source), 0);
    cr_assert_eq(records_scan(&source, &sink, 1, NULL), 0);

    cr_expect_eq(sums[1].user, 1000);
    cr_expect(sums[1].system <= 440 && sums[1].system >= 430);
    cr_expect(sums[2].user <= 800 && sums[2].user >= 790);
    cr_expect_eq(sums[2].system, 0);
    cr_expect_eq(sums[3].user + sums[3].system, 1500);
    for (int i = 1; i < 3; i++)
        cr_expect(!sums[i].rest_user && !sums[i].rest_system, "thread %d", i);
    cr_expect_eq(sums[3].rest_user, 0);
    cr_expect_eq(sums[3].rest_system, 40);
    experiment_close(e);
    scene_remove(dir);
    free(path);
}

/* Thread 1: a hit of 1000 ns ends after the account, which has 300 ns of it. */
Test(reconcile, a_late_hit_is_not_counted_twice)
{
    char *dir = scene_dir(), *path = scene_path(dir, "a.er"), *why;
    struct gen *gen = gen_start(path, TICKS);
    struct record_sink sink = { on_batch, NULL, false };
    struct rec_clock late = { .node = 1, .weight = 1000 };
    struct record_source source;
    struct experiment *e;

    gen_node(gen, 0, 0, 0x1000, 0);
    add_thread(gen, 1, 5000, 0, 300, 0);
    gen_clock(gen, 1, GEN_START + 25 * MS, &late);
    add_thread(gen, 2, 1000, 0, 300, 0); /* it has no late hit, and stays */
    add_thread(gen, 3, 1000, 0, 100, 50);
    late.weight = 500;
    gen_clock(gen, 3, GEN_START + 25 * MS, &late);
    gen_end(gen, GEN_START + 30 * MS, 8450, 0);
    gen_finish(gen);
    cr_assert_eq(experiment_open(&e, path, &why), 0);
    cr_assert_eq(experiment_source(e, FILE_profile, &source), 0);
    memset(sums, 0, sizeof(sums));
    cr_assert_eq(records_scan(&source, &sink, 1, NULL), 0);

    cr_expect_eq(sums[2].user + sums[2].rest_user, 1300);
    for (int i = 1; i < 4; i += 2)
        cr_expect(!sums[i].rest_user && !sums[i].rest_system, "thread %d", i);
    cr_expect_eq(sums[3].user, 1500);
    /* 350 are over the process's account beside both residuals. */
    cr_expect(sums[1].user <= 5650 && sums[1].user >= 5640, "%ld", (long)sums[1].user);
    experiment_close(e);
    scene_remove(dir);
    free(path);
}
