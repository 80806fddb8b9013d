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
 * all: also find executable mappings that are not load objects (reads /proc/self/maps).
 * If another thread is doing this, leave it to a later call. If the loader may not be
 * asked or system calls are restricted, only remove unloaded objects from the table. 0
 * or -errno.
 */
int map_refresh(int all);

/*
 * map_refresh(), if the loader's counters or a handler say that something has changed,
 * or the loader may not be asked.
 */
void map_refresh_if_changed(void);

/* The load instance that holds address, 0 = unknown. */
u32 map_instance(u64 address);

/*
 * Call map_doubt_loader() in a forked child: there, the loader's lock may be held for
 * ever by a thread that does not exist. We do not take that lock until the target
 * itself has taken it.
 */
void map_doubt_loader(void);
void map_call_loader(void);  /* the target calls dlopen() */
void map_trust_loader(void); /* the target's dlopen() has returned */

#endif
