/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resource use of threads over time, from records `usage`; between two readings it
 * is interpolated. For the code in print/model/region alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_REGION_REGIONUSAGE_H
#define ERTOOLS_PRINT_MODEL_REGION_REGIONUSAGE_H

#include "print/model/lookup/regions.h"

struct region_reading {
    u64 time; /* a record time */
    u64 used[USE_COUNT];
};

/* Of one thread. */
struct region_readings {
    struct region_reading *at; /* by time after regionusage_sort() */
    u32 count, room;
};

/* The position of a moment among readings, and what the thread had used until then. */
struct region_moment {
    u32 gap; /* index of the reading before it */
    bool inside; /* it has a reading before it and one after it */
    double used[USE_COUNT];
};

void regionusage_sort(struct region_readings *readings);

/* *hint: remembers the gap of the last moment; 0 at first. */
struct region_moment regionusage_at(const struct region_readings *readings, u64 time,
                                    u32 *hint);

/*
 * By how many ns the CPU time of instances may be wrong that together cover `length`
 * record times of one gap between readings. rate: ns in a unit of record times.
 */
double regionusage_unsure(const struct region_readings *readings, u32 gap,
                          double length, double rate);

#endif
