/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects of the target, which are listed both in map.xml and in the signal
 * handlers' table (sig/objtab.h). Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MAP_H
#define ERTOOLS_COLLECTOR_PRELOAD_MAP_H

#include "share/types.h"

/*
 * Find out what is loaded; record what was loaded and unloaded since the last time.
 * all: also find executable mappings that are no load objects (reads /proc/self/maps).
 * 0 or -errno.
 */
int map_refresh(int all);

/*
 * map_refresh(), if the loader's counters or a handler say that something has changed.
 */
void map_refresh_if_changed(void);

/* The number of load instances so far: their ids are 1 to this number. */
extern u32 map_objects;

/* The load instance that holds address, 0 = unknown. */
u32 map_instance(u64 address);

/*
 * Call the first in a forked child: there, the loader's lock may be held for ever by a
 * thread that does not exist. We do not take that lock until the target itself has
 * taken it.
 */
void map_doubt_loader(void);
void map_call_loader(void);  /* the target calls dlopen() */
void map_trust_loader(void); /* the target's dlopen() has returned */

#endif
