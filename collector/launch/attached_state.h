/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked now and then about a process to which collect has attached: whether it
 * has new threads, and whether it is over. The other functions attached_... are in
 * attached.h. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_ATTACHED_STATE_H
#define ERTOOLS_LAUNCH_ATTACHED_STATE_H

#include "collector/session/session.h"

/*
 * Begin to record the process's new threads. Does nothing if the process was not
 * entered, or has ended.
 */
void attached_add_threads(struct recording *s);

/*
 * 1: the process has ended, or has become a program that is not recorded, or the user
 * or the debugger wants collect to detach.
 */
int attached_is_over(const struct recording *s);

#endif
