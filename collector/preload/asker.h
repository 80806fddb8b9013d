/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By what number a process asks its launcher: its process id as the launcher sees it.
 * In another PID namespace it cannot know that; there it is the place of a lock on the
 * founder's control page, and the kernel says whose it is. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ASKER_H
#define ERTOOLS_COLLECTOR_PRELOAD_ASKER_H

#include "share/types.h"

enum { ASKER_UNSEEN = 1u << 31 };

/*
 * The number of the launcher as this process sees it: 0 in another PID namespace,
 * ASKER_UNSEEN where that is not known. page: the founder's control page, open for
 * writing.
 */
u32 asker_seen_launcher(int page);

/* Requests go by this process's number if it has seen the launcher by its own. */
void asker_look(u32 seen, u32 launcher);

/*
 * In a forked child, before it asks: one whose parent it cannot see has come into
 * another PID namespace.
 */
void asker_look_up(void);

/*
 * The number, for a request; 0: it has none that the launcher knows. path: of the
 * founder's control page. What it takes is kept until asker_end().
 */
u32 asker_begin(const char *path);

/*
 * The number of this process, or of a child that shares its memory; 0 where a request
 * would need more than that.
 */
u32 asker_number(void);
void asker_end(void);

/* 1 while the launcher, or what may be the launcher, runs. */
int asker_sees_launcher(const char *path, u32 launcher);

#endif
