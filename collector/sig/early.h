/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects whose code runs before they are in map.xml: an object that dlopen()
 * loads runs its constructors before dlopen() returns to us. libc's _dl_find_object()
 * finds the object by then. The object gets a provisional number, which stack nodes
 * have in place of an instance; when normal context finds the object, a line in map.xml
 * relates the number to the instance. Runs in signal handlers and normal context; no
 * locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_EARLY_H
#define ERTOOLS_COLLECTOR_SIG_EARLY_H

#include "share/record.h"
#include "share/types.h"

struct objtab_object;

enum {
    EARLY_OBJECTS = 1024, /* per process; objects beyond these are unknown */
};

/*
 * Get the provisional number, from ER_EARLY_FIRST on, of an object that
 * _dl_find_object() has described. An object without a number gets one. 0 = none is
 * left, or another one is being given.
 */
u32 early_number(const struct objtab_object *object);

/*
 * Call when the object with code at lo and .eh_frame_hdr at hdr has been added to
 * map.xml. Each call returns another provisional number of the object; 0 = no more. One
 * caller at a time.
 */
u32 early_arrived(u64 lo, u64 hdr);

#endif
