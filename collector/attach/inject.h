/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of attach.h that change the target from outside. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_INJECT_H
#define ERTOOLS_COLLECTOR_ATTACH_INJECT_H

#include "collector/attach/attach.h"

/* Has the target's libc what is needed? -ENOSYS, and why. */
int inject_check(struct attach *a);

/* Map the pages in the target, by some thread. -EAGAIN, ... with why set. */
int inject_pages(struct attach *a);

/* Have a thread at a safe point make ours. -EAGAIN: there was none. */
int inject_agent(struct attach *a);

/*
 * Name what the agent is to open in the pages. A library that the process does not see
 * is copied into memory of its own, and the experiment's directory is sent to it.
 */
int inject_files(struct attach *a, const struct attach_order *order);

/* Take the pages away again. */
void inject_remove(struct attach *a);

/* attach.c: 1 while the pages are there; some thread is stopped. */
int attach_is_there(struct attach *a);

/* attach.c: a thread was stopped for so long. */
void attach_note_pause(struct attach *a, u64 ns);

#endif
