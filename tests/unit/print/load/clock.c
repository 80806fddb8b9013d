/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/clock.h"

#include <criterion/criterion.h>

Test(clock, piecewise_between_pairs_and_beyond)
{
    struct clock c = { 0 };

    /* 2 ticks a ns, from 50 ms on 4; given out of order. */
    clock_add(&c, 300000000, 100000000);
    clock_add(&c, 0, 0);
    clock_add(&c, 100000000, 50000000);
    clock_seal(&c);
    cr_assert_eq(c.count, 3);
    cr_assert_eq(clock_mono(&c, 20), 10);
    cr_assert_eq(clock_mono(&c, 100000000), 50000000);
    cr_assert_eq(clock_mono(&c, 100000400), 50000100);
    cr_assert_eq(clock_mono(&c, 300000400), 100000100);
    clock_free(&c);
}

Test(clock, contradictions_and_near_pairs_are_dropped)
{
    struct clock c = { 0 };

    clock_add(&c, 1000, 10000000);
    clock_add(&c, 900, 20000000);  /* back in ticks */
    clock_add(&c, 2000, 30000000);
    clock_add(&c, 2001, 30000001); /* nearer than 1 ms */
    clock_add(&c, 3000, 50000000);
    clock_seal(&c);
    cr_assert_eq(c.count, 3);
    cr_assert_eq(clock_mono(&c, 2500), 40000000);
    cr_assert_eq(clock_mono(&c, 1500), 20000000);
    clock_free(&c);
}

Test(clock, ticks_may_begin_anew)
{
    struct clock c = { 0 };

    for (u32 i = 0; i < 10; i++)
        clock_add(&c, 1000000000 + i * 20000000, 500000000 + i * 10000000);
    /* The machine was suspended: ticks from 0, and no ns have passed meanwhile. */
    for (u32 i = 0; i < 10; i++)
        clock_add(&c, 1000 + i * 20000000, 600000000 + i * 10000000);
    clock_seal(&c);
    cr_assert_not_null(c.anew);
    cr_assert_eq(clock_mono(&c, 1010000000), 505000000);
    cr_assert_eq(clock_mono(&c, 1180000000), 590000000);
    cr_assert_eq(clock_mono(&c, 1000), 600000000);
    cr_assert_eq(clock_mono(&c, 10001000), 605000000);
    cr_assert_eq(clock_mono(&c, 180001000), 690000000);
    cr_assert_float_eq(clock_rate(&c), 0.5, 1e-9);
    clock_free(&c);
}

Test(clock, rises_and_never_wraps)
{
    struct clock c = { 0 };
    u64 last = 0;

    clock_add(&c, 1u << 20, 1u << 30);
    clock_add(&c, 1u << 21, 1u << 31);
    clock_seal(&c);
    for (int bit = 0; bit < 64; bit++) {
        u64 at = clock_mono(&c, (u64)1 << bit);

        cr_assert(at >= last, "bit %d", bit);
        last = at;
    }
    cr_assert_eq(clock_mono(&c, 0), 0);
    clock_free(&c);
}

Test(clock, few_pairs)
{
    struct clock c = { 0 };

    clock_seal(&c);
    cr_assert_eq(clock_mono(&c, 5), 0);
    clock_add(&c, 7, 70);
    clock_seal(&c);
    cr_assert_eq(clock_mono(&c, 5), 70);
    c.identity = true;
    cr_assert_eq(clock_mono(&c, 5), 5);
    clock_free(&c);
}

Test(clock, rate_is_the_average)
{
    struct clock c = { 0 };

    cr_assert_eq(clock_rate(&c), 1);
    clock_add(&c, 1000, 5000000);
    clock_add(&c, 3001000, 6000000);
    clock_add(&c, 6001000, 7000000);
    clock_seal(&c);
    cr_assert_float_eq(clock_rate(&c), 1.0 / 3, 1e-12);
    cr_assert_eq(clock_scaled(6000000, clock_rate(&c)), 2000000);
    cr_assert_eq(clock_scaled(UINT64_MAX, 3), UINT64_MAX);
    c.identity = true;
    cr_assert_eq(clock_rate(&c), 1);
    clock_free(&c);
}
