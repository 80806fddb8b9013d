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

/* The readings of one thread. */
struct region_readings {
    struct region_reading *at; /* sorted by time, after regionusage_sort() */
    u32 count, room;
};

/* The position of a moment among readings, and what the thread had used until then. */
struct region_moment {
    u32 gap; /* index of the reading before it; 0 if there is none */
    bool inside; /* there is a reading before it, and one after it */
    double used[USE_COUNT]; /* interpolated; not `inside`: the nearest reading's */
};

void regionusage_sort(struct region_readings *readings);

/* Find a moment. *hint: keeps the gap of the last call for the next one; 0 at first. */
struct region_moment regionusage_at(const struct region_readings *readings, u64 time,
                                    u32 *hint);

/*
 * Instances cover together `length` (in units of record times) of one gap between
 * readings: get by how many ns their CPU time may be wrong. rate: ns in such a unit.
 */
double regionusage_unsure(const struct region_readings *readings, u32 gap,
                          double length, double rate);

#endif
