/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects that came without the target's own loader calls: found in /proc/PID/maps
 * and added to map.xml. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_MAPS_H
#define ERTOOLS_LAUNCH_MAPS_H

#include <stdio.h>

#include "collector/launch/session.h"

enum {
    MAPS_FIRST_ID = 0x40000000, /* ids from here on are the launcher's */
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
    u32 added; /* objects of ours */
};

/* Code that was made at run time: ranges in the order of addresses. */
struct maps_code {
    u64 lo[ER_CODE_RANGES + 1];
    u64 hi[ER_CODE_RANGES + 1];
    u32 count;
};

/* Add a range behind all others. With too many, those that are nearest become one. */
void maps_code_add(struct maps_code *c, u64 lo, u64 hi);

/*
 * Add the executable mappings that map.xml does not have; an event when it cannot. The
 * target's handlers are told where code is that was made at run time.
 */
void maps_refresh(struct maps *m, struct session *s);

void maps_free(struct maps *m);

/* Take one line of map.xml into account. Returns 0 or -ENOMEM. */
int maps_line(struct maps *m, const char *line);

/* Is [lo, hi) within one object that is loaded? */
int maps_has(const struct maps *m, u64 lo, u64 hi);

#endif
