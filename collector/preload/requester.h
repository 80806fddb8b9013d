/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number that identifies a process in its requests to the launcher: its pid as the
 * launcher sees it. A process in another PID namespace cannot know that pid; it uses
 * the offset of a lock that it holds on the founder's control file, and the kernel
 * tells the launcher who holds the lock. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_REQUESTER_H
#define ERTOOLS_COLLECTOR_PRELOAD_REQUESTER_H

#include "share/types.h"

enum { REQUESTER_UNSEEN = 1u << 31 }; /* requester_seen_launcher(): not known */

/*
 * The launcher's pid as this process sees it: 0 if the launcher is in another PID
 * namespace; REQUESTER_UNSEEN if nobody holds its lock, or the lock cannot be tested.
 * page: a descriptor of the founder's control page, open for writing.
 */
u32 requester_seen_launcher(int page);

/*
 * Decide how requests identify this process: by its pid if seen and launcher are equal
 * or seen is REQUESTER_UNSEEN, else by a lock. seen: from requester_seen_launcher();
 * launcher: the pid that the launcher itself has written.
 */
void requester_choose(u32 seen, u32 launcher);

/*
 * Call in a forked child before its request. If the child cannot see its parent's pid,
 * it is in another PID namespace than its parent, and must identify itself by a lock.
 */
void requester_check_parent(void);

/*
 * The number for a request; 0: the launcher could not identify this process. path: of
 * the founder's control file. Locks and descriptors are kept until requester_end().
 */
u32 requester_begin(const char *path);

/*
 * The pid of this process, or of a vfork child of it; 0 if a request needs a lock
 * instead.
 */
u32 requester_number(void);
/* Release what requester_begin() has kept. */
void requester_end(void);

/*
 * 1 while the launcher runs: in another PID namespace, while it holds its lock on the
 * control file, as far as that can be tested; else while its pid is in use.
 */
int requester_sees_launcher(const char *path, u32 launcher);

#endif
