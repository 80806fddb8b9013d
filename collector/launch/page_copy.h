/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A control page that the launcher can no longer store to, because the file system is
 * full to the last byte (a used-up quota of btrfs). The launcher goes on with a private
 * copy of the page and reads the target's page now and then. Normal context.
 */
#ifndef ERTOOLS_LAUNCH_PAGE_COPY_H
#define ERTOOLS_LAUNCH_PAGE_COPY_H

#include <signal.h>

#include "share/experiment.h"

/* SIGBUS handler: a failed store to a page that can still be read is not fatal. */
void page_copy_signal(int sig, siginfo_t *info, void *context);

/* If pages were copied: read what the target's page says now, and log changes. */
void page_copy_check(struct expdir *e);

#endif
