/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/early.h"

#include <criterion/criterion.h>

#include "collector/sig/objtab.h"

static const struct objtab_object one = { .lo = 0x1000, .hi = 0x5000, .hdr = 0x4000 };
static const struct objtab_object two = { .lo = 0x8000, .hi = 0x9000, .hdr = 0x8800 };

Test(early, an_object_keeps_its_number_until_it_is_met)
{
    u32 a = early_number(&one), b = early_number(&two);

    cr_assert_eq(a, ER_EARLY_FIRST);
    cr_assert_eq(b, ER_EARLY_FIRST + 1);
    cr_assert_eq(early_number(&one), a);
    cr_assert_eq(early_arrived(0x2000, 0x4100), 0, "other tables: another object");
    cr_assert_eq(early_arrived(0x5000, 0x4000), 0, "another place");
    cr_assert_eq(early_arrived(0x8000, 0x8800), b);
    cr_assert_eq(early_arrived(0x2000, 0x4000), a);
    cr_assert_eq(early_arrived(0x2000, 0x4000), 0, "there are no more");
}

Test(early, what_comes_to_the_same_place_has_another)
{
    u32 a = early_number(&one), b;

    cr_assert_eq(early_arrived(0x1000, 0x4000), a);
    b = early_number(&one);
    cr_assert_neq(b, a);
    cr_assert_eq(early_arrived(0x1000, 0x4000), b);
}

Test(early, there_are_so_many)
{
    struct objtab_object o = one;

    for (u32 i = 0; i < EARLY_OBJECTS; i++, o.lo += 0x10000, o.hi += 0x10000)
        cr_assert_eq(early_number(&o), ER_EARLY_FIRST + i);
    cr_assert_eq(early_number(&o), 0);
}
