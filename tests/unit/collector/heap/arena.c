/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/heap/arena.c"

#include <criterion/criterion.h>
#include <string.h>

Test(arena, blocks_are_zero_aligned_and_apart)
{
    char *before = NULL;

    for (size_t align = 1; align <= 4096; align *= 2) {
        char *p = arena_zalloc(100, align);

        cr_assert_not_null(p);
        cr_assert_eq((size_t)p % align, 0);
        cr_assert_eq((size_t)p % 16, 0);
        cr_assert(arena_owns(p));
        cr_assert_eq(arena_size(p), 100);
        for (int i = 0; i < 100; i++)
            cr_assert_eq(p[i], 0);
        memset(p, 0xff, 100);
        cr_assert(!before || before + 100 <= p - sizeof(struct head));
        before = p;
    }
}

Test(arena, what_is_not_its_own)
{
    char here;

    cr_assert(!arena_owns(NULL));
    cr_assert(!arena_owns(&here));
    cr_assert(!arena_owns(arena_memory + ARENA_BYTES));
}

Test(arena, never_runs_out)
{
    for (int i = 0; i < 3000; i++) {
        char *p = arena_zalloc(100, 16);

        cr_assert_not_null(p);
        memset(p, 1, 100);
        cr_assert(arena_owns(p));
    }
    cr_assert_not_null(arena_pages);
    cr_assert(arena_owns(arena_zalloc(10 << 20, 64)));
    cr_assert_eq(arena_size(arena_zalloc(1 << 20, 8192)), 1 << 20);
    cr_assert_null(arena_zalloc(~(size_t)0 - 100, 16));
}
