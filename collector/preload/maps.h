/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of /proc/self/maps, without allocation or stdio. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MAPS_H
#define ERTOOLS_COLLECTOR_PRELOAD_MAPS_H

#include "share/types.h"

/* A line of /proc/self/maps (proc(5)). */
struct maps_line {
    u64 lo;
    u64 hi;
    u64 offset;
    u64 inode;
    u32 major;
    u32 minor;
    int executable;
    const char *name; /* terminated; "" = anonymous; valid during the call */
};

/* Call each(line, arg) for every mapping. 0 or -errno. */
int maps_read(void (*each)(const struct maps_line *line, void *arg), void *arg);

#endif
