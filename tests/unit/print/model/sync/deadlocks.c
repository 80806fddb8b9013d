/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/deadlocks.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "print/model/sync/locks.h"
#include "print/model/session/sessions.h"
#include "tests/gen/scene.h"

enum {
    A = 0x1000000,
    B = 0x2000000,
    C = 0x3000000,
    GATE = 0x4000000,
    US = 1000,
};

/* One experiment a test: four threads; nodes 1 to 4 are stacks of f1 to f4. */
static char *dir, *path;
static struct gen *gen;
static struct session *session;
static struct deadlocks found;

static void
up(void)
{
    u64 lo = APP_BIAS + GEN_CODE;

    dir = scene_dir();
    path = scene_path(dir, "d.er");
    gen = gen_start(path, 1);
    gen_object(gen, 1, "/gen/app", "aa01", APP_BIAS, lo, lo + 5 * GEN_FUNC_BYTES,
               "main");
    gen_archive(gen, "/gen/app", "aa01", "f", "/gen/app.c", 5, 0);
    for (u32 i = 1; i <= 4; i++) {
        gen_thread(gen, &(struct rec_thread){ .id = i, .tid = i });
        gen_node(gen, 0, 1, lo + i * GEN_FUNC_BYTES + 8, 0);
    }
}

static void
down(void)
{
    deadlocks_free(&found);
    sessions_close(session);
    scene_remove(dir);
    free(path);
}

TestSuite(deadlocks, .init = up, .fini = down);

/* Kinds are of what is held and what is asked for. */
static void
order_of(u32 thread, u64 us, u64 held, u32 held_kind, u64 object, u32 kind)
{
    struct rec_order r = {
        .held = held,
        .object = object,
        .held_kind = held_kind,
        .kind = kind,
        .held_node = thread,
        .node = thread,
    };

    gen_order(gen, thread, GEN_START + us * US, &r);
}

static void
order(u32 thread, u64 us, u64 held, u64 object)
{
    order_of(thread, us, held, SYNC_MUTEX, object, SYNC_MUTEX);
}

static void
look(void)
{
    char *why;

    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    cr_assert_eq(sessions_add(session, path, &why), 0);
    cr_assert_eq(deadlocks_get(session, &found), 0);
}

Test(deadlocks, two_threads_in_two_orders)
{
    order(1, 10, A, B);
    order(2, 20, B, A);
    look();
    cr_assert(found.recorded && !found.more);
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
    cr_assert_eq(found.deadlock[0].steps, 2);
    cr_assert_eq(found.step[0].held, A);
    cr_assert_eq(found.step[0].object, B);
    cr_assert_eq(found.step[0].thread, 1);
    cr_assert_eq(found.step[1].held, B);
    cr_assert_eq(found.step[1].thread, 2);
    cr_assert_eq(found.step[1].since, 20 * US);
    cr_assert_neq(found.step[0].node, found.step[1].node);
}

Test(deadlocks, one_order_is_none)
{
    order(1, 10, A, B);
    order(2, 20, B, C);
    order(3, 30, A, C);
    look();
    cr_assert_eq(found.count, 0);
    cr_assert(found.recorded);
}

Test(deadlocks, one_thread_does_not_wait_for_itself)
{
    order(1, 10, A, B);
    order(1, 20, B, A);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_FEW_THREADS);
}

Test(deadlocks, a_second_thread_that_does_so_later_makes_it_possible)
{
    order(1, 10, A, B);
    order(1, 20, B, A);
    order(2, 30, B, A);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
    cr_assert_eq(found.step[1].others, 1);
}

Test(deadlocks, three_need_three_threads)
{
    order(1, 10, A, B);
    order(2, 20, B, C);
    order(3, 30, C, A);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].steps, 3);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
}

/* Both hold the gate when they ask. */
static void
through_gate(u32 held_kind)
{
    order_of(1, 10, GATE, held_kind, A, SYNC_MUTEX);
    order_of(1, 20, GATE, held_kind, B, SYNC_MUTEX);
    order(1, 20, A, B);
    order_of(2, 30, GATE, held_kind, B, SYNC_MUTEX);
    order_of(2, 40, GATE, held_kind, A, SYNC_MUTEX);
    order(2, 40, B, A);
}

Test(deadlocks, a_gate_keeps_them_apart)
{
    through_gate(SYNC_MUTEX);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_GATE);
    cr_assert_eq(found.deadlock[0].gate, GATE);
    cr_assert_eq(found.deadlock[0].gate_kind, SYNC_MUTEX);
}

Test(deadlocks, a_gate_that_both_may_read_does_not)
{
    through_gate(SYNC_READ);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
}

Test(deadlocks, a_gate_that_only_one_holds_does_not)
{
    order(1, 20, GATE, B);
    order(1, 20, A, B);
    order(2, 40, B, A);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
}

Test(deadlocks, readers_do_not_wait_for_readers)
{
    order_of(1, 10, A, SYNC_READ, B, SYNC_MUTEX);
    order_of(2, 20, B, SYNC_MUTEX, A, SYNC_READ);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_READERS);
}

Test(deadlocks, but_for_writers)
{
    order_of(1, 10, A, SYNC_READ, B, SYNC_MUTEX);
    order_of(2, 20, B, SYNC_MUTEX, A, SYNC_WRITE);
    look();
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
}

Test(deadlocks, what_began_anew_is_another_lock)
{
    order(1, 10, A, B);
    gen_renew(gen, 1, GEN_START + 15 * US,
              &(struct rec_renew){ .object = A, .kind = SYNC_MUTEX });
    order(2, 20, B, A);
    look();
    cr_assert_eq(found.count, 0);
}

Test(deadlocks, what_began_before_or_elsewhere_is_the_same)
{
    struct rec_renew a = { .object = A }, c = { .object = C };

    gen_renew(gen, 1, GEN_START + 5 * US, &a);
    order(1, 10, A, B);
    gen_renew(gen, 1, GEN_START + 15 * US, &c);
    order(2, 20, B, A);
    gen_renew(gen, 1, GEN_START + 25 * US, &a);
    look();
    cr_assert_eq(found.count, 1);
}

Test(deadlocks, two_cycles_through_one_lock)
{
    order(1, 10, A, B);
    order(2, 20, B, A);
    order(1, 30, A, C);
    order(1, 40, C, A);
    look();
    cr_assert_eq(found.count, 2);
    cr_assert_eq(found.deadlock[0].verdict, DEADLOCK_POSSIBLE);
    cr_assert_eq(found.deadlock[1].verdict, DEADLOCK_FEW_THREADS);
}

Test(deadlocks, a_dense_graph_ends)
{
    u64 us = 10;

    for (u32 i = 0; i < 60; i++)
        for (u32 k = 0; k < 60; k++)
            if (i != k)
                order(1 + (i + k) % 4, us++, A + 64 * i, A + 64 * k);
    look();
    cr_assert_eq(found.count, 1000);
    cr_assert(found.more);
    cr_assert_eq(found.deadlock[0].steps, 2);
}
