/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number that identifies a process in its requests to the launcher: its pid as the
 * launcher sees it. A process in another PID namespace cannot know that pid; it uses
 * the offset of a lock that it holds on the founder's control file, and the kernel
 * tells the launcher who holds the lock. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ASKER_H
#define ERTOOLS_COLLECTOR_PRELOAD_ASKER_H

#include "share/types.h"

enum { ASKER_UNSEEN = 1u << 31 };

/*
 * The launcher's pid as this process sees it: 0 if the launcher is in another PID
 * namespace, ASKER_UNSEEN if nothing is known. page: a descriptor of the founder's
 * control page, open for writing.
 */
u32 asker_seen_launcher(int page);

/*
 * Decide how requests identify this process: by its pid if seen and launcher are equal
 * or seen is ASKER_UNSEEN, else by a lock. seen: from asker_seen_launcher(); launcher:
 * the pid that the launcher itself has written.
 */
void asker_look(u32 seen, u32 launcher);

/*
 * Call in a forked child before its request. If the child cannot see its parent's pid,
 * it is in another PID namespace than its parent, and must identify itself by a lock.
 */
void asker_look_up(void);

/*
 * The number for a request; 0: the launcher could not identify this process. path: of
 * the founder's control file. Locks and descriptors are kept until asker_end().
 */
u32 asker_begin(const char *path);

/*
 * The pid of this process, or of a vfork child of it; 0 if a request needs a lock
 * instead.
 */
u32 asker_number(void);
void asker_end(void);

/* 1 while the launcher runs, as far as that can be found out. */
int asker_sees_launcher(const char *path, u32 launcher);

#endif
