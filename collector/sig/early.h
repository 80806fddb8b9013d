/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects whose code runs before map.xml has them: what dlopen() loads runs its
 * constructors before anybody can look. The finder of libc knows them by then. Each
 * gets a number that stands for it in stack nodes; when the object is met, map.xml says
 * which instance that was. Signal handlers, and normal context; no locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_EARLY_H
#define ERTOOLS_COLLECTOR_SIG_EARLY_H

#include "collector/sig/objtab.h"
#include "share/record.h"
#include "share/types.h"

enum {
    EARLY_OBJECTS = 1024, /* so many in the life of a process: later ones are unknown */
};

/* The number of an object as the finder describes it, ER_EARLY_FIRST on; 0 = none. */
u32 early_number(const struct objtab_object *object);

/*
 * The object with code at lo and .eh_frame_hdr at hdr has been met: the next of the
 * numbers that stand for it, or 0 if there are no more. One caller at a time.
 */
u32 early_met(u64 lo, u64 hdr);

#endif
