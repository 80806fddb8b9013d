/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.xml of a forked child: its parent's, without the past. Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_MAPCOPY_H
#define ERTOOLS_LAUNCH_MAPCOPY_H

#include "share/types.h"

/*
 * Appends to `to` all whole lines of `from`, and no tail that says that it is complete.
 * Of each object's loads and unloads only the last are kept: a program may make many.
 * Objects with larger ids than `most` came after the fork, and the child will give
 * their ids to others; 0 = all are the child's, too. 0 or -errno.
 */
int mapcopy(int to, int from, u32 most);

#endif
