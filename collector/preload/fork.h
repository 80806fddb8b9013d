/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fork handlers. They take all locks of the collector, so that no other thread holds
 * one when memory is copied, and record the child from its first moment on. Normal
 * context; libc calls them around each of its forks, daemon() and forkpty() included,
 * but not around clone().
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_FORK_H
#define ERTOOLS_COLLECTOR_PRELOAD_FORK_H

#include "share/ctl.h"

/* Register the handlers, so that they run first in the child. May be called again. */
void fork_start(void);

/* CLOCK_MONOTONIC ns just before the last fork. */
extern u64 fork_time;

void fork_prepare(void);
void fork_parent(void);
void fork_child(enum er_how how);

/* Call after fork_parent() if fork() has failed, as libc's handlers are not told. */
void fork_failed(void);

/*
 * In a child that was not forked by libc, when it ends, by `how`: log in its parent's
 * log that it was not recorded. If it calls exec, it is recorded from then on.
 */
void fork_log_unseen(const char *how);

#endif
