/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.xml of a forked child: a copy of its parent's, with fewer lines. Normal context
 * of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_MAPCOPY_H
#define ERTOOLS_LAUNCH_MAPCOPY_H

#include "share/types.h"

/*
 * Append to `to` the whole lines of `from`, but not the last line, if that says that
 * the file is complete, nor lines about early stack nodes. Of each object's loads and
 * unloads, only the last load and an unload before it are copied, or only the last
 * unload if none follows it, since there may be many. Lines about objects with ids
 * above `most` are left out: they came after the fork, and the child will use their ids
 * for others; most 0 = none. 0 or -errno.
 */
int mapcopy(int to, int from, u32 most);

#endif
