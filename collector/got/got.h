/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Have a process that runs already call other functions: each word that a relocation
 * has filled with the address of a function gets that of its replacement, in all
 * objects, and later in those that are loaded since. What a name means is what the
 * loader's order says: the first object that defines it. Normal context of any thread;
 * calls of got_start() and got_end() do not overlap.
 *
 * Not seen: calls that are bound inside an object, and addresses that the program has
 * taken before and keeps where no relocation is.
 */
#ifndef ERTOOLS_COLLECTOR_GOT_GOT_H
#define ERTOOLS_COLLECTOR_GOT_GOT_H

#include "share/types.h"

/*
 * The real function of a name, by the order of loading, leaving out the collector's
 * objects. version: "" = the default one. NULL: nobody defines it.
 */
void *got_find(const char *name, const char *version);

/*
 * Lead calls to what the given libraries export: any address in each. What only they
 * define is left alone. 0 or -ENOMEM.
 */
int got_start(const void *const *libraries, u32 count);

/* The same in objects that are new; cheap when there are none. */
void got_look(void);

/* In a forked child: no other thread is at it. */
void got_fork_child(void);

/* Every word that is still ours becomes what it was. */
void got_end(void);

/* How many words lead to our functions; and how many could not be changed. */
u64 got_changed(void);
u64 got_refused(void);

#endif
