/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks: no lock of ours is held by another thread when memory is copied, and the child
 * records from its first moment. Normal context; libc calls them around each of its
 * forks, daemon() and forkpty() included, but not around clone().
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_FORK_H
#define ERTOOLS_COLLECTOR_PRELOAD_FORK_H

#include "share/ctl.h"

/* Have libc call the rest, before all others in the child. May be called again. */
void fork_start(void);

/* CLOCK_MONOTONIC ns of the last one, just before it. */
extern u64 fork_time;

void fork_prepare(void);
void fork_parent(void);
void fork_child(enum er_how how);

/* After fork_parent(): fork() failed, of which libc's handlers learn nothing. */
void fork_failed(void);

/*
 * In a child that libc did not fork, which ends so: say in its parent's log that it was
 * not recorded. An exec brings it back into sight.
 */
void fork_tell_unseen(const char *how);

#endif
