/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.xml of a forked child: a copy of its parent's, without objects that are gone.
 * Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_MAPCOPY_H
#define ERTOOLS_LAUNCH_MAPCOPY_H

#include "share/types.h"

/*
 * Appends to `to` all whole lines of `from`, except the last line, which would say that
 * the file is complete. Of each object only the last load and unload are copied, since
 * there may be many. Objects with ids above `most` are left out: they came after the
 * fork, and the child will use their ids for others; most 0 = none. 0 or -errno.
 */
int mapcopy(int to, int from, u32 most);

#endif
