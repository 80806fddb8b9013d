/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that trims the files of descendants that have ended. Trimming may wait for
 * the disk, and the launcher must answer other processes in the meantime. Files of a
 * short process are trimmed at once, since waking the thread would cost more. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_RETIRE_H
#define ERTOOLS_LAUNCH_RETIRE_H

#include "collector/launch/member.h"

/* Trim and close the experiment of a finished member, and free it: now or soon. */
void retire(struct member *m);

/* Wait until all these members are freed, and end the thread. */
void retire_wait(void);

#endif
