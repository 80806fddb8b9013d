/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/objtab.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>

#include "collector/sig/loaded.h"

static void
add(u64 lo, u64 hi, u32 instance)
{
    struct objtab_object o = { .lo = lo, .hi = hi, .instance = instance };

    cr_assert_eq(loaded_add(&o), 0);
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
    loaded_remove(0x3800, 0x4800, 2);
    cr_assert_eq(at(0x4000), 1u, "of another instance");
    loaded_remove(0x4000, 0x4800, 1);
    cr_assert_eq(at(0x37ff), 2u);
    cr_assert_eq(at(0x3800), 0u);
    cr_assert_eq(at(0x4800), 1u);
    add(0, 0x10000, 7);
    cr_assert_eq(objtab_count(), 1u);
    cr_assert_eq(loaded_remove(0, 0x10000, 7), 0);
    cr_assert_eq(objtab_count(), 0u);
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
            loaded_remove(0x10000 + i * 0x1000, 0x11000 + i * 0x1000, (u32)i + 1);
        }
    stop = 1;
    for (int i = 0; i < 2; i++) {
        void *bad;

        pthread_join(threads[i], &bad);
        cr_assert_null(bad);
    }
}
