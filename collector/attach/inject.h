/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of attach.h that change the target from outside. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_INJECT_H
#define ERTOOLS_COLLECTOR_ATTACH_INJECT_H

#include "collector/attach/attach.h"

/*
 * Does the target's libc have the functions that are needed? 0, or -ENOSYS with the
 * reason in a->why.
 */
int inject_check(struct attach *a);

/* Map the pages in the target, by some thread. -EAGAIN, ... with why set. */
int inject_pages(struct attach *a);

/* Let a thread at a safe point create the agent. -EAGAIN: no thread was at one. */
int inject_agent(struct attach *a);

/*
 * Write into the pages what the agent opens. If the process does not see a library's
 * path, the library is copied into a memfd of the process, and likewise a descriptor of
 * the experiment's directory is sent to it.
 */
int inject_files(struct attach *a, const struct attach_order *order);

/* Unmap the pages in the target. */
void inject_remove(struct attach *a);

/* attach.c: 1 while the pages are there; some thread is stopped. */
int attach_is_there(struct attach *a);

/* attach.c: note for how long a thread was stopped. */
void attach_note_pause(struct attach *a, u64 ns);

#endif
