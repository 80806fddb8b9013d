/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A control page that the launcher can no longer store to, because the file system is
 * full to the last byte (a used-up quota of btrfs). The launcher continues with a
 * private copy of the page, and reads the target's page when the process has ended.
 * Normal context.
 */
#ifndef ERTOOLS_LAUNCH_PAGE_COPY_H
#define ERTOOLS_LAUNCH_PAGE_COPY_H

#include <signal.h>

#include "share/experiment.h"

/*
 * SIGBUS handler: replaces a page that can still be read by a private copy, so that the
 * store succeeds. Another fault kills the launcher.
 */
void page_copy_signal(int sig, siginfo_t *info, void *context);

/*
 * If a page was replaced: read what the target's page says now, and log that the disk
 * is full.
 */
void page_copy_check(struct expdir *e);

#endif
