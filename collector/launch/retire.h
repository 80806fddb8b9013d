/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of descendants that have ended are cut to size by a thread of its own: file
 * systems make that wait for the disk, and others wait for an answer meanwhile. Those
 * of a short one have so little to cut that to wake the thread would cost more. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_RETIRE_H
#define ERTOOLS_LAUNCH_RETIRE_H

#include "collector/launch/member.h"

/* Trim and close the experiment of a finished member, and free it: now or soon. */
void retire(struct member *m);

/* Wait until all that is done. */
void retire_wait(void);

#endif
