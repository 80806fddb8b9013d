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

/* The handlers: before a fork, and after it in the parent and in the child. */
void fork_prepare(void);
void fork_parent(void);
void fork_child(enum er_how how);

/*
 * Call after fork_parent() if fork() has failed, of which libc does not tell its fork
 * handlers: the launcher must not wait for the child.
 */
void fork_failed(void);

/*
 * Called when a process ends by `how` that is not recorded itself. If it is a child
 * that a raw system call has forked, write to its parent's log, once, that it was not
 * recorded. Log nothing if how is "exec", since the child is recorded from then on.
 */
void fork_log_unseen(const char *how);

#endif
