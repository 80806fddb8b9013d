/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/locks.h"
#include "print/model/session/sessions.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "share/record.h"
#include "tests/gen/scene.h"

enum {
    A = 0x1000000,
    US = 1000,
};

static char *dir, *path;
static struct gen *gen;
static struct session *session;
static struct locks locks;

static void
up(void)
{
    u64 lo = APP_BIAS + GEN_CODE;

    dir = scene_dir();
    path = scene_path(dir, "l.er");
    gen = gen_start(path, 1);
    gen_object(gen, 1, "/gen/app", "aa01", APP_BIAS, lo, lo + 5 * GEN_FUNC_BYTES,
               "main");
    gen_archive(gen, "/gen/app", "aa01", "f", "/gen/app.c", 5, 0);
    for (u32 i = 1; i <= 3; i++) {
        gen_thread(gen, &(struct rec_thread){ .id = i, .tid = i });
        gen_node(gen, 0, 1, lo + (i < 3 ? i : 2) * GEN_FUNC_BYTES + 8, 0);
    }
}

static void
down(void)
{
    locks_free(&locks);
    sessions_close(session);
    scene_remove(dir);
    free(path);
}

TestSuite(locks, .init = up, .fini = down);

static void
waits(u32 thread, u64 us, u64 took, u32 kind, u64 object, u32 node, u32 holder)
{
    struct rec_wait r = { .took = took * US, .kind = kind, .object = object,
                          .node = node, .holder = holder, .holder_node = holder };

    gen_wait(gen, thread, GEN_START + us * US, &r);
}

static void
look(void)
{
    char *why;

    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    cr_assert_eq(sessions_add(session, path, &why), 0);
    cr_assert_eq(locks_get(session, &locks), 0);
    cr_assert(locks.recorded);
}

Test(locks, an_object_has_its_sums)
{
    struct rec_hold hold = { .held = 32 * US, .kind = SYNC_MUTEX, .object = A,
                             .node = 1 };

    waits(1, 100, 16, SYNC_MUTEX, A, 1, 2);
    waits(2, 200, 48, SYNC_MUTEX, A, 1, 0);
    gen_hold(gen, 3, GEN_START + 300 * US, &hold);
    gen_renew(gen, 1, GEN_START + 400 * US, &(struct rec_renew){ .object = A,
                                                                 .kind = SYNC_MUTEX });
    look();
    cr_assert_eq(locks.count, 1);
    cr_assert_eq(locks.lock[0].kind, SYNC_MUTEX);
    cr_assert_eq(locks.lock[0].waits, 2);
    cr_assert_eq(locks.lock[0].contended, 1);
    cr_assert_eq(locks.lock[0].wait, 64 * US);
    cr_assert_eq(locks.lock[0].wait_most, 48 * US);
    cr_assert_eq(locks.lock[0].holds, 1);
    cr_assert_eq(locks.lock[0].hold, 32 * US);
    cr_assert_eq(locks.lock[0].threads, 3);
    cr_assert_eq(locks.lock[0].renewed, 1);
    cr_assert_eq(locks.lock[0].first, 100 * US);
}

Test(locks, kinds_are_apart_but_reading_and_writing)
{
    waits(1, 100, 16, SYNC_READ, A, 1, 0);
    waits(1, 200, 16, SYNC_WRITE, A, 1, 0);
    waits(1, 300, 16, SYNC_SPIN, A, 1, 0);
    look();
    cr_assert_eq(locks.count, 2);
    cr_assert_eq(locks.lock[0].kind, SYNC_WRITE);
    cr_assert_eq(locks.lock[0].waits, 2);
    cr_assert_eq(locks.lock[1].kind, SYNC_SPIN);
}

/* Nodes 2 and 3 are the same stack. */
Test(locks, places_meet_by_their_stacks)
{
    waits(1, 100, 16, SYNC_MUTEX, A, 1, 2);
    waits(2, 200, 16, SYNC_MUTEX, A, 1, 3);
    waits(3, 300, 64, SYNC_MUTEX, A, 2, 1);
    look();
    cr_assert_eq(locks.lock[0].conflicts, 2);
    cr_assert_eq(locks.conflict[0].time, 64 * US);
    cr_assert_eq(locks.conflict[1].count, 2);
    cr_assert_eq(locks.conflict[1].time, 32 * US);
    cr_assert_eq(locks.conflict[1].node, locks.conflict[0].holder);
    cr_assert_eq(locks.conflict[1].holder, locks.conflict[0].node);
}

Test(locks, only_renewed_is_not_listed)
{
    gen_renew(gen, 1, GEN_START + 400 * US, &(struct rec_renew){ .object = A,
                                                                 .kind = SYNC_MUTEX });
    look();
    cr_assert_eq(locks.count, 0);
}

Test(locks, kinds_have_names)
{
    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    for (u32 kind = 1; kind < SYNC_KIND_COUNT; kind++) {
        cr_assert_not_null(lock_kind_name(kind));
        cr_assert_str_neq(lock_kind_name(kind), "unknown");
    }
    cr_assert_str_eq(lock_kind_name(SYNC_KIND_COUNT), "unknown");
    cr_assert_eq(lock_kind(UINT64_MAX), 0);
}
