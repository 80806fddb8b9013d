/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.xml of a forked child: its parent's, without the past. Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_MAPCOPY_H
#define ERTOOLS_LAUNCH_MAPCOPY_H

/*
 * Appends to `to` all whole lines of `from`, and no tail that says that it is complete.
 * Of each object's loads and unloads only the last are kept: a program may make many.
 * 0 or -errno.
 */
int mapcopy(int to, int from);

#endif
