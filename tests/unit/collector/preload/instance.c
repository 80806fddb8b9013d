/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "collector/preload/instance.h"

static struct instance *
come(u64 at, u64 check)
{
    struct instance like = { .lo = at, .hi = at + 16, .bias = at, .check = check };
    struct instance *i = instance_find(at, at + 16, at, check);

    if (!i)
        i = instance_new(&like);
    cr_assert_not_null(i);
    if (!i->loaded)
        instance_load(i);
    return i;
}

static int
is_odd(const struct instance *i, void *arg)
{
    ++*(u32 *)arg;
    return i->lo / 16 % 2;
}

Test(instance, comes_goes_and_is_the_same_again)
{
    enum { MANY = 3000 };
    u32 calls = 0;

    for (u32 k = 0; k < MANY; k++)
        cr_assert_eq(come(16 * k, k / 7)->id, k + 1);
    cr_assert_null(instance_find(0, 16, 0, 1), "another check");
    cr_assert_null(instance_find(16, 32, 0, 0), "another bias");
    instance_sweep(is_odd, &calls);
    cr_assert_eq(calls, (u32)MANY);
    calls = 0;
    instance_sweep(is_odd, &calls);
    cr_assert_eq(calls, MANY / 2u, "the odd ones are not there");
    for (u32 k = 0; k < MANY; k++)
        cr_assert_eq(come(16 * k, k / 7)->id, k + 1);
    calls = 0;
    instance_sweep(is_odd, &calls);
    cr_assert_eq(calls, (u32)MANY);
    cr_assert_eq(instance_total, (u32)MANY);
}

Test(instance, covers_what_was_met)
{
    come(160, 1);
    come(320, 2);
    instance_mark_loaded(160, 5);
    cr_assert(instance_covers(150, 161, 5));
    cr_assert_not(instance_covers(150, 160, 5));
    cr_assert_not(instance_covers(176, 320, 5));
    cr_assert_not(instance_covers(320, 336, 5), "not met in this round");
}
