/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Redirect the calls of a process that runs already. Each word that a relocation has
 * filled with the address of a function gets the address of its replacement, in all
 * objects and in those that are loaded later. A name is resolved as the loader does: to
 * the first object that defines it. Normal context of any thread; calls of got_start()
 * and got_end() do not overlap.
 *
 * Not seen: calls that are bound inside an object, and addresses that the program has
 * taken before and keeps where no relocation is.
 */
#ifndef ERTOOLS_COLLECTOR_GOT_GOT_H
#define ERTOOLS_COLLECTOR_GOT_GOT_H

#include "share/types.h"

/*
 * The real function of a name: the first in the order of loading, leaving out the
 * collector's objects and the loader. version: "" = the default one. NULL: no object
 * defines it.
 */
void *got_find(const char *name, const char *version);

/* The function that the object at the address `here` exports under a name, or NULL. */
void *got_find_in(const void *here, const char *name);

/*
 * Redirect calls to the functions that the given libraries export. libraries: an
 * address in each, 8 at most. Functions that no other object defines are left alone. 0;
 * -ENOMEM: some calls are not redirected.
 */
int got_start(const void *const *libraries, u32 count);

/* Redirect calls in objects that were loaded since; cheap when there are none. */
void got_update(void);

/*
 * Call in a forked child: releases the lock that another thread of the parent may have
 * held.
 */
void got_fork_child(void);

/* Restore every word that still has our address. */
void got_end(void);

/*
 * got_changed(): how many words lead to our functions. got_refused(): how often a word
 * could not be changed; each search of the objects counts it again.
 */
u64 got_changed(void);
u64 got_refused(void);

#endif
