/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/ranges.h"

#include <criterion/criterion.h>

enum {
    SPACE = 512,
    STEPS = 20000,
    FREE = UINT32_MAX,
};

/* By mapping: bytes left and pieces, as told. */
static u64 bytes[STEPS];
static int pieces[STEPS];
static u32 seed = 99;

static u32
below(u32 n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

static void
on_pieces(void *context, u32 mapping, u64 less, int more)
{
    cr_assert_null(context);
    bytes[mapping] -= less;
    pieces[mapping] += more;
}

static int
pieces_of(const u32 *space, u32 mapping)
{
    int n = 0;

    for (u32 i = 0; i < SPACE; i++)
        n += space[i] == mapping && (i == 0 || space[i - 1] != mapping);
    return n;
}

static u64
bytes_of(const u32 *space, u32 mapping)
{
    u64 n = 0;

    for (u32 i = 0; i < SPACE; i++)
        n += space[i] == mapping;
    return n;
}

Test(ranges, as_a_plain_array)
{
    struct ranges ranges = { .pieces = on_pieces };
    static u32 space[SPACE];

    for (u32 i = 0; i < SPACE; i++)
        space[i] = FREE;
    for (u32 step = 0; step < STEPS; step++) {
        u32 lo = below(SPACE), hi = lo + below(SPACE - lo < 40 ? SPACE - lo : 40);
        bool add = below(2);

        cr_assert_eq(ranges_cut(&ranges, lo, hi), 0);
        for (u32 i = lo; i < hi; i++)
            space[i] = add ? step : FREE;
        if (add) {
            bytes[step] = hi - lo;
            cr_assert_eq(ranges_add(&ranges, lo, hi, step), 0);
        }
        for (u32 k = 0; k < 4; k++) {
            u32 at = below(SPACE);
            const struct range *range = ranges_find(&ranges, at);

            cr_assert_eq(range ? range->mapping : FREE, space[at]);
            if (!range)
                continue;
            cr_assert_eq(bytes[space[at]], bytes_of(space, space[at]));
            cr_assert_eq(pieces[space[at]], pieces_of(space, space[at]));
        }
    }
    cr_assert_eq(ranges_cut(&ranges, 0, UINT64_MAX), 0);
    for (u32 step = 0; step < STEPS; step++)
        cr_assert(bytes[step] == 0 && pieces[step] == 0);
    cr_assert_lt(ranges.count, SPACE + 2, "freed nodes are used again");
    ranges_free(&ranges);
}
