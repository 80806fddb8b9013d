/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects of the target: map.xml and the handlers' table (sig/objtab.h) say
 * the same. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MAP_H
#define ERTOOLS_COLLECTOR_PRELOAD_MAP_H

#include "share/types.h"

/*
 * Look at what is loaded; log what came and went since the last look. all: also look
 * at executable mappings that are no load objects (costs a read of /proc/self/maps).
 * 0 or -errno.
 */
int map_refresh(int all);

/* The same, if the loader's counters or a handler say that something has changed. */
void map_refresh_if_changed(void);

/* How many load instances there have been: their ids are 1 and on. */
extern u32 map_objects;

/* The load instance that holds address, 0 = unknown. */
u32 map_instance(u64 address);

/*
 * In a forked child: the loader's lock may be held, by a thread that is not here or by
 * the parent's in a callback. It is not taken until the target has taken it itself.
 */
void map_doubt_loader(void);
void map_call_loader(void);  /* the target calls dlopen() */
void map_trust_loader(void); /* and it came back */

#endif
