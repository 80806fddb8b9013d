/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are only named, not opened: an id for each distinct path, from a cache of
 * fixed size. A path that was evicted gets another id when it is used again; readers
 * merge by name. Call the functions between trace_enter() and trace_leave(), except the
 * last two.
 */
#ifndef ERTOOLS_COLLECTOR_IO_IO_PATH_H
#define ERTOOLS_COLLECTOR_IO_IO_PATH_H

#include "collector/io/io_file.h"

/* The id for a path, which must be readable; dir as in openat(). */
u32 io_path_of(struct io_event *e, int dir, const char *path);

/* The working directory has changed: relative paths get new ids. */
void io_path_moved(void);

/* Empty the cache: a forked child begins without ids of paths. */
void io_path_forget_all(void);

#endif
