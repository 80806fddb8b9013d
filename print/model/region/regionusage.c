/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/regionusage.h"

#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
    const struct region_reading *x = a, *y = b;

    return x->time < y->time ? -1 : x->time > y->time;
}

void
regionusage_sort(struct region_readings *r)
{
    if (r->count > 1)
        qsort(r->at, r->count, sizeof(*r->at), compare);
}

/* The index of the last reading that is not later than a time. There must be one. */
static u32
gap_of(const struct region_readings *r, u64 time, u32 hint)
{
    u32 lo = 0, hi = r->count;

    /* In most cases it is the same gap as for the last time, or the next one. */
    for (u32 i = hint; i < hint + 2 && i < r->count; i++)
        if (r->at[i].time <= time && (i + 1 == r->count || time < r->at[i + 1].time))
            return i;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;

        if (r->at[mid].time <= time)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

struct region_moment
regionusage_at(const struct region_readings *r, u64 time, u32 *hint)
{
    struct region_moment m = { 0, false, { 0 } };
    const struct region_reading *a, *b;
    double part = 0;

    if (!r->count)
        return m;
    if (time >= r->at[0].time)
        m.gap = *hint = gap_of(r, time, *hint);
    a = b = &r->at[m.gap];
    m.inside = time >= a->time && m.gap + 1 < r->count;
    if (m.inside) {
        b = a + 1;
        part = (double)(time - a->time) / (double)(b->time - a->time);
    }
    for (u32 i = 0; i < USE_COUNT; i++)
        m.used[i] = (double)a->used[i] +
                    part * ((double)b->used[i] - (double)a->used[i]);
    return m;
}

double
regionusage_unsure(const struct region_readings *r, u32 gap, double length, double rate)
{
    double whole, cpu, even, least, most;

    length *= rate;
    if (gap + 1 >= r->count)
        return length; /* no later reading: any share of it may be CPU time */
    whole = (double)(r->at[gap + 1].time - r->at[gap].time) * rate;
    cpu = (double)r->at[gap + 1].used[USE_CPU] - (double)r->at[gap].used[USE_CPU];
    cpu = cpu > whole ? whole : cpu < 0 ? 0 : cpu;
    length = length < whole ? length : whole;
    even = whole > 0 ? cpu * length / whole : 0;
    least = cpu - (whole - length) > 0 ? cpu - (whole - length) : 0;
    most = cpu < length ? cpu : length;
    return even - least > most - even ? even - least : most - even;
}
