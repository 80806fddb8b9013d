/* SPDX-License-Identifier: Apache-2.0 */
/* What changes the target from outside. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_INJECT_H
#define ERTOOLS_COLLECTOR_ATTACH_INJECT_H

#include "collector/attach/attach_state.h"

/*
 * Does the target's libc have the functions that are needed? 0, or -ENOSYS, mostly with
 * the reason in a->why.
 */
int inject_check(struct attach *a);

/*
 * Map the pages in the target, by some thread. 0 or -errno (-EAGAIN: no thread could do
 * it).
 */
int inject_pages(struct attach *a);

/*
 * Let a thread at a safe point create the agent. 0 or -errno (-EAGAIN: no thread was at
 * one).
 */
int inject_agent(struct attach *a);

/*
 * Write into the pages what the agent opens. A library whose path the process does not
 * see is copied into a memfd of the process. If it does not see the experiment's path,
 * a descriptor of that directory is sent to it. 0 or -errno.
 */
int inject_files(struct attach *a, const struct attach_order *order);

/* Unmap the pages in the target. */
void inject_remove(struct attach *a);

#endif
