/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects that the target did not load by its loader: they are found in
 * /proc/PID/maps and added to map.xml. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_MAPS_H
#define ERTOOLS_LAUNCH_MAPS_H

#include <stdio.h>

#include "collector/session/session.h"

enum {
    MAPS_FIRST_ID = 0x40000000, /* first id that the launcher gives to objects */
};

/* An object that map.xml has. */
struct maps_object {
    u64 lo, hi;
    u32 id;
    int loaded;
};

/* What was read of map.xml so far. All zero = nothing. */
struct maps {
    struct maps_object *object;
    size_t count, room;
    off_t read;
    u32 added; /* ids that the launcher has given to objects */
};

/* Code that was made at run time: ranges in the order of addresses. */
struct maps_code {
    u64 lo[ER_CODE_RANGES + 1];
    u64 hi[ER_CODE_RANGES + 1];
    u32 count;
};

/*
 * Add a range, which lies above all others. If there are too many ranges, the two with
 * the smallest gap are merged.
 */
void maps_code_add(struct maps_code *c, u64 lo, u64 hi);

/*
 * Add the executable mappings that map.xml lacks; log an event when that fails. Writes
 * the ranges of code made at run time to the control page, for the target's handlers.
 */
void maps_refresh(struct maps *m, struct recording *s);

void maps_free(struct maps *m);

/* Take one line of map.xml into account. Returns 0 or -ENOMEM. */
int maps_line(struct maps *m, const char *line);

/* Is [lo, hi) within one object that is loaded? */
int maps_has(const struct maps *m, u64 lo, u64 hi);

#endif
