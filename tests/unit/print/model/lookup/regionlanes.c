/* SPDX-License-Identifier: Apache-2.0 */
/* The innermost instance at a time, and the next boundary, against a search of all. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "print/model/lookup/regionlanes.h"

enum {
    SPANS = 400,
    ROUNDS = 200,
};

static struct region_span spans[SPANS];
static u32 depth[SPANS];
static u32 count;
static u64 seed;

static u64
chance(u64 below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

/* Instances within [from, to), those within others first; *around of the outermost. */
static void
fill(u64 from, u64 to, u32 level)
{
    while (from < to && count < SPANS - 32 && level < 6) {
        u64 begin = from + chance(to - from + 1), end = begin + chance(to - begin + 1);
        u32 first = count;

        if (begin >= end)
            return;
        fill(begin + chance(2), end - chance(2) * (end > begin + 1), level + 1);
        spans[count] = (struct region_span){ begin, end, 1, 0 };
        depth[count] = level;
        for (u32 i = first; i < count; i++)
            if (depth[i] == level + 1)
                spans[i].around = count + 1;
        count++;
        from = end;
    }
}

/* Of equal ends the inner one stands first: so does it here. */
static u32
innermost(u64 time)
{
    u32 best = 0;

    for (u32 i = 0; i < count; i++)
        if (spans[i].from <= time && time < spans[i].to &&
            (!best || depth[i] > depth[best - 1]))
            best = i + 1;
    return best;
}

static u64
boundary(u64 time)
{
    u64 best = UINT64_MAX;

    for (u32 i = 0; i < count; i++) {
        if (spans[i].from > time && spans[i].from < best)
            best = spans[i].from;
        if (spans[i].to > time && spans[i].to < best)
            best = spans[i].to;
    }
    return best;
}

Test(regionlanes, like_a_search_of_all)
{
    for (seed = 1; seed < ROUNDS; seed++) {
        struct region_lane lane = { spans, 0, 0 };
        u64 kept = seed;

        count = 0;
        fill(0, 300, 0);
        lane.count = count;
        for (u64 t = 0; t < 310; t++) {
            cr_assert_eq(regionlanes_at(&lane, t), innermost(t), "round %llu at %llu",
                         (unsigned long long)kept, (unsigned long long)t);
            cr_assert_eq(regionlanes_after(&lane, t), boundary(t), "round %llu at %llu",
                         (unsigned long long)kept, (unsigned long long)t);
        }
        seed = kept;
    }
}

Test(regionlanes, nothing)
{
    struct region_lane lane = { NULL, 0, 0 };

    cr_assert_eq(regionlanes_at(&lane, 5), 0);
    cr_assert_eq(regionlanes_at(NULL, 5), 0);
    cr_assert_eq(regionlanes_after(&lane, 5), UINT64_MAX);
}
