/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/cuts.h"

#include <stdlib.h>

#include <criterion/criterion.h>

static struct cuts cuts;

static void
make(struct slicer *slicer)
{
    const u64 at[] = { 300, 100, 200, 100 };

    for (u32 i = 0; i < ER_COUNT(at); i++)
        cr_assert_eq(cuts_add(&cuts, at[i]), 0);
    cuts_seal(&cuts);
    cr_assert_eq(cuts.count, 3);
    *slicer = (struct slicer){ .cuts = &cuts };
}

static void
end(struct slicer *slicer)
{
    cuts_free_slicer(slicer);
    cuts_free(&cuts);
}

/* Shares of `value` of what is in [from, to). */
static u64
within(const struct slicer *s, u64 from, u64 to, u64 value)
{
    u64 sum = 0;

    for (u32 i = 0; i < s->count; i++)
        if (s->piece[i].moment >= from && s->piece[i].moment < to)
            sum += cuts_piece_share(&s->piece[i], value);
    return sum;
}

static u32
ends(const struct slicer *s, u64 from, u64 to)
{
    u32 n = 0;

    for (u32 i = 0; i < s->count; i++)
        n += s->piece[i].ends && s->piece[i].moment >= from && s->piece[i].moment < to;
    return n;
}

Test(cuts, an_event_is_shared_out)
{
    struct slicer s;

    make(&s);
    cuts_slice(&s, 250, 200);
    cr_assert_eq(s.count, 3);
    cr_assert_eq(within(&s, 0, 100, 1000), 250);
    cr_assert_eq(within(&s, 100, 200, 1000), 500);
    cr_assert_eq(within(&s, 200, 300, 1000), 250);
    cr_assert_eq(ends(&s, 200, 300), 1);
    cr_assert_eq(ends(&s, 0, 1000), 1);
    cuts_slice(&s, 90, 20);
    cr_assert_eq(s.count, 1);
    cr_assert_eq(within(&s, 0, 100, 7), 7);
    end(&s);
}

Test(cuts, an_end_on_a_cut_is_behind_it)
{
    struct slicer s;

    make(&s);
    cuts_slice(&s, 200, 100);
    cr_assert_eq(within(&s, 100, 200, 9), 9);
    cr_assert_eq(within(&s, 200, 300, 9), 0);
    cr_assert_eq(ends(&s, 200, 300), 1);
    cuts_slice(&s, 200, 0);
    cr_assert_eq(within(&s, 200, 300, 9), 9);
    cr_assert_eq(ends(&s, 0, 1000), 1);
    end(&s);
}

Test(cuts, a_lane_counts_no_moment_twice)
{
    struct thread_lane lane = { .until = 0 };
    struct slicer s;

    make(&s);
    /* A wait from 50 to 250, then a hit at 255 that stands for 25: 5 and 20 before. */
    cuts_slice_lane(&s, &lane, 250, 200);
    cr_assert_eq(within(&s, 0, 100, 200), 50);
    cr_assert_eq(within(&s, 200, 300, 200), 50);
    cuts_slice_lane(&s, &lane, 255, 25);
    cr_assert_eq(within(&s, 200, 300, 25), 5);
    cr_assert_eq(within(&s, 0, 100, 25), 20);
    cr_assert_eq(ends(&s, 200, 300), 1);
    /* Only 30 are left: the rest of 100 is more than there was. */
    cuts_slice_lane(&s, &lane, 255, 100);
    cr_assert_eq(within(&s, 0, 1000, 100), 30);
    cr_assert_eq(ends(&s, 200, 300), 1);
    cr_assert_eq(lane.count, 0);
    free(lane.gap);
    end(&s);
}
