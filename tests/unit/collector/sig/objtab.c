/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/rule.h"

static void
add(u64 lo, u64 hi, u32 instance)
{
    struct objtab_object o = { .lo = lo, .hi = hi, .instance = instance };

    cr_assert_eq(objtab_add(&o), 0);
}

static u32
at(u64 pc)
{
    struct objtab_object o;

    return objtab_find(pc, &o) ? o.instance : 0;
}

Test(objtab, finds_by_range)
{
    for (u64 i = 1000; i-- > 0;)
        add(0x10000 + i * 0x100, 0x10000 + i * 0x100 + 0x80, (u32)i + 1);
    cr_assert_eq(objtab_count(), 1000u);
    for (u64 i = 0; i < 1000; i++) {
        cr_assert_eq(at(0x10000 + i * 0x100), i + 1);
        cr_assert_eq(at(0x10000 + i * 0x100 + 0x7f), i + 1);
        cr_assert_eq(at(0x10000 + i * 0x100 + 0x80), 0u);
    }
    cr_assert_eq(at(0), 0u);
    cr_assert_eq(at(~(u64)0), 0u);
}

Test(objtab, the_later_range_wins)
{
    add(0x1000, 0x9000, 1);
    add(0x3000, 0x4000, 2);
    cr_assert_eq(at(0x2fff), 1u);
    cr_assert_eq(at(0x3000), 2u);
    cr_assert_eq(at(0x4000), 1u);
    cr_assert_eq(objtab_count(), 3u);
    objtab_remove(0x3800, 0x4800);
    cr_assert_eq(at(0x37ff), 2u);
    cr_assert_eq(at(0x3800), 0u);
    cr_assert_eq(at(0x4800), 1u);
    add(0, 0x10000, 7);
    cr_assert_eq(objtab_count(), 1u);
    cr_assert_eq(objtab_remove(0, 0x10000), 0);
    cr_assert_eq(objtab_count(), 0u);
}

Test(objtab, refuses_what_cannot_be)
{
    struct objtab_object empty = { .lo = 0x1000, .hi = 0x1000 };
    struct objtab_object kernel = { .lo = 0x1000, .hi = ~(u64)0 };

    cr_assert_eq(objtab_add(&empty), -EINVAL);
    cr_assert_eq(objtab_add(&kernel), -EINVAL);
}

Test(objtab, a_removal_voids_only_what_was_used)
{
    u32 generation;

    add(0x1000, 0x2000, 1);
    add(0x3000, 0x4000, 2);
    rule_put(rule_key(0x1800, 0), 5);
    objtab_note_use(1);
    generation = objtab_generation;
    objtab_remove(0x3000, 0x4000);
    add(0x3000, 0x4000, 2);
    cr_assert_eq(objtab_generation, generation, "2 was in no stack");
    objtab_remove(0x1000, 0x2000);
    cr_assert_neq(objtab_generation, generation);
    cr_assert_eq(rule_get(rule_key(0x1800, 0)), 0u);
}

Test(objtab, what_was_unknown_is_voided_when_it_becomes_known)
{
    u32 generation;

    rule_put(rule_key(0x1800, 0), 5 | RULE_UNKNOWN);
    objtab_note_use(0);
    generation = objtab_generation;
    add(0x1000, 0x2000, 1);
    cr_assert_neq(objtab_generation, generation);
    cr_assert_eq(rule_get(rule_key(0x1800, 0)), 0u);
    generation = objtab_generation;
    add(0x1000, 0x2000, 1);
    cr_assert_eq(objtab_generation, generation, "the same again is nothing");
}

Test(objtab, asks_for_a_look_at_the_maps)
{
    struct objtab_object o;

    add(0x1000, 0x2000, 1);
    objtab_refresh_wanted = 0;
    at(0x1800);
    cr_assert_eq(objtab_refresh_wanted, 0u);
    cr_assert_eq(objtab_code(0x1800), CODE_OBJECT);
    cr_assert_eq(objtab_code(0x2800), CODE_NONE);
    at(0x2800);
    cr_assert_eq(objtab_refresh_wanted, 0u, "nobody knows it: perhaps no code");
    objtab_set_finder(dlsym(RTLD_DEFAULT, "_dl_find_object"));
    if (dlsym(RTLD_DEFAULT, "_dl_find_object")) {
        cr_assert(objtab_find((u64)(uintptr_t)&qsort, &o));
        cr_assert_neq(objtab_refresh_wanted, 0u);
        cr_assert_eq(o.instance, 0u);
        cr_assert_neq(o.hdr, 0u);
        cr_assert_lt(o.lo, (u64)(uintptr_t)&qsort);
    }
}

static volatile int stop;

/* Odd ranges come and go; the even ones are always there. */
static void *
look(void *arg)
{
    u64 bad = 0, turn = 0;

    (void)arg;
    while (!stop) {
        u64 i = turn++ % 200;
        u32 found = at(0x10000 + i * 0x1000);

        bad += i % 2 ? found != 0 && found != i + 1 : found != i + 1;
    }
    return (void *)(uintptr_t)bad;
}

Test(objtab, readers_are_right_beside_a_writer)
{
    pthread_t threads[2];

    for (u64 i = 0; i < 200; i += 2)
        add(0x10000 + i * 0x1000, 0x11000 + i * 0x1000, (u32)i + 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int turn = 0; turn < 300; turn++)
        for (u64 i = 1 + (u64)turn % 5 * 2; i < 200; i += 10) {
            add(0x10000 + i * 0x1000, 0x11000 + i * 0x1000, (u32)i + 1);
            objtab_remove(0x10000 + i * 0x1000, 0x11000 + i * 0x1000);
        }
    stop = 1;
    for (int i = 0; i < 2; i++) {
        void *bad;

        pthread_join(threads[i], &bad);
        cr_assert_null(bad);
    }
}
