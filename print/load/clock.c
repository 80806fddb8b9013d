/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    /* drop one of two pairs that are nearer to each other: it would add only noise */
    THIN_NS = 1000000,
};

int
clock_add(struct clock *clock, u64 tick, u64 mono)
{
    if (array_room(&clock->pair, &clock->room, clock->count + 1,
                   sizeof(*clock->pair)) < 0)
        return -ENOMEM;
    clock->pair[clock->count++] = (struct clock_pair){ tick, mono };
    return 0;
}

static int
by_mono(const void *a, const void *b)
{
    const struct clock_pair *left = a, *right = b;

    if (left->mono != right->mono)
        return left->mono < right->mono ? -1 : 1;
    return left->tick < right->tick ? -1 : left->tick > right->tick;
}

/*
 * Did the ticks restart at the sorted pair i, below those of `last`, the pair kept
 * before it? The pair after i must confirm that, so that one wrong pair is not mistaken
 * for a restart.
 */
static bool
begins_anew(const struct clock *clock, u32 i, const struct clock_pair *last)
{
    const struct clock_pair *pair = &clock->pair[i];

    return i + 1 < clock->count && pair->mono > last->mono && pair->tick < last->tick &&
           pair[1].tick > pair->tick && pair[1].tick < last->tick;
}

/* Move the pairs from i on to a second clock; if memory runs out, drop them. */
static void
part(struct clock *clock, u32 i)
{
    struct clock *anew = calloc(1, sizeof(*anew));

    for (u32 k = i; anew && k < clock->count; k++) {
        if (clock_add(anew, clock->pair[k].tick, clock->pair[k].mono) < 0) {
            clock_free(anew);
            free(anew);
            anew = NULL;
        }
    }
    if (anew)
        clock_seal(anew);
    clock->anew = anew;
    clock->count = i;
}

void
clock_seal(struct clock *clock)
{
    struct clock_pair *pair = clock->pair;
    u32 kept = 0;

    if (!clock->count)
        return;
    qsort(pair, clock->count, sizeof(*pair), by_mono);
    for (u32 i = 1; i < clock->count; i++) {
        if (begins_anew(clock, i, &pair[kept])) {
            part(clock, i);
            break;
        }
        if (pair[i].tick <= pair[kept].tick || pair[i].mono <= pair[kept].mono)
            continue;
        /*
         * Always keep the last pair, so that the end is exact: it replaces a pair that
         * is too near.
         */
        if (pair[i].mono - pair[kept].mono < THIN_NS && i + 1 < clock->count)
            continue;
        if (pair[i].mono - pair[kept].mono < THIN_NS && kept > 0)
            kept--;
        pair[++kept] = pair[i];
    }
    clock->count = kept + 1;
}

/*
 * The index i of the piece between pairs i and i + 1 that converts a tick. There must
 * be at least 2 pairs.
 */
static u32
piece_of(const struct clock *clock, u64 tick)
{
    u32 lo = 0, hi = clock->count - 1;

    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;

        if (clock->pair[mid].tick <= tick)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/*
 * Is piece i, between pairs i and i + 1, the one that converts the tick? The first
 * piece also serves ticks before it, the last one those after it.
 */
static bool
serves(const struct clock *clock, u32 i, u64 tick)
{
    return i + 1 < clock->count && (!i || clock->pair[i].tick <= tick) &&
           (i + 2 == clock->count || tick < clock->pair[i + 1].tick);
}

u64
clock_mono_from(const struct clock *clock, u64 tick, u32 *piece)
{
    const struct clock_pair *at;
    double ns;

    if (clock->identity)
        return tick;
    if (clock->anew && clock->count && tick < clock->pair[0].tick)
        return clock_mono(clock->anew, tick);
    if (clock->count < 2)
        return clock->count ? clock->pair[0].mono : 0;
    if (!serves(clock, *piece, tick))
        *piece = piece_of(clock, tick);
    at = &clock->pair[*piece];
    ns = (double)(at[1].mono - at[0].mono) / (double)(at[1].tick - at[0].tick) *
         (double)(int64_t)(tick - at->tick);
    if (ns < -(double)at->mono)
        return 0;
    if (ns > 9e18 || ns + (double)at->mono > 18e18)
        return UINT64_MAX;
    return at->mono + (u64)(int64_t)ns;
}

u64
clock_mono(const struct clock *clock, u64 tick)
{
    u32 piece = 0;

    return clock_mono_from(clock, tick, &piece);
}

u64
clock_first(const struct clock *clock, u64 mono, u32 shift)
{
    u64 lo = 0, hi = UINT64_MAX >> shift;

    while (lo < hi) {
        u64 mid = lo + (hi - lo) / 2;

        if (clock_mono(clock, mid << shift) < mono)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

u64
clock_tick(const struct clock *clock, u64 mono)
{
    const struct clock_pair *pair = clock->pair;
    u32 low = 0, high = clock->count;
    double ticks;

    if (clock->identity)
        return mono;
    if (clock->count < 2)
        return clock->count ? pair->tick : 0;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;

        if (pair[middle].mono <= mono)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 == clock->count)
        low--;
    pair += low;
    ticks = (double)(pair[1].tick - pair[0].tick) /
            (double)(pair[1].mono - pair[0].mono) *
            (double)(int64_t)(mono - pair->mono);
    if (ticks < -(double)pair->tick)
        return 0;
    return pair->tick + (u64)(int64_t)ticks;
}

double
clock_rate(const struct clock *clock)
{
    const struct clock_pair *first = clock->pair, *last;

    if (clock->identity || clock->count < 2)
        return 1;
    last = first + clock->count - 1;
    return (double)(last->mono - first->mono) / (double)(last->tick - first->tick);
}

void
clock_free(struct clock *clock)
{
    if (clock->anew)
        clock_free(clock->anew);
    free(clock->anew);
    free(clock->pair);
    memset(clock, 0, sizeof(*clock));
}
