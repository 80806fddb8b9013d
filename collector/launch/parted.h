/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A control page that the launcher cannot store to any more, because its file system
 * takes not even that (a quota of btrfs that is used up): the launcher goes on with a
 * copy of the page, and looks at what the target says now and then. Normal context.
 */
#ifndef ERTOOLS_LAUNCH_PARTED_H
#define ERTOOLS_LAUNCH_PARTED_H

#include <signal.h>

#include "share/experiment.h"

/* The handler of SIGBUS: a store to a page that can be read is no end. */
void parted_signal(int sig, siginfo_t *info, void *context);

/* Where pages have been parted: take over what the target's page says now; tell. */
void parted_look(struct experiment *e);

#endif
