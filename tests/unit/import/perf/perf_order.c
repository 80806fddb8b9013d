/* SPDX-License-Identifier: Apache-2.0 */
/* The records of perf.data are sorted, however they are mixed. */
#include "import/perf/perf.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum {
    COUNT = 1000000, /* several pieces */
};

static u32
next_random(u32 *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static u64
make_time(u32 kind, u32 i, u32 *state)
{
    switch (kind) {
    case 0:
        return i;
    case 1:
        return COUNT - i;
    case 2:
        return next_random(state) % 1000; /* many of one time */
    default:
        return i / 5000 * 5000 + 7000 * (i % 2) + i % 5000;
    }
}

static void
check(const struct perf_record_at *record, u32 kind)
{
    u64 sum = 0;

    for (u32 i = 0; i < COUNT; i++) {
        sum += record[i].at;
        if (i && record[i - 1].time == record[i].time)
            cr_assert(record[i - 1].at < record[i].at, "%u: %u", kind, i);
        else if (i)
            cr_assert(record[i - 1].time < record[i].time, "%u: %u", kind, i);
    }
    cr_assert_eq(sum, (u64)COUNT * (COUNT - 1) / 2, "%u: all are there", kind);
}

Test(perf_order, sorts_any_order)
{
    for (u32 kind = 0; kind < 4; kind++) {
        struct perf p = { .nrecords = COUNT };
        u32 state = 1;

        p.record = malloc(COUNT * sizeof(*p.record));
        cr_assert(p.record);
        for (u32 i = 0; i < COUNT; i++)
            p.record[i] = (struct perf_record_at){ make_time(kind, i, &state), i };
        cr_assert_eq(perf_sort(&p), 0);
        check(p.record, kind);
        free(p.record);
    }
}
