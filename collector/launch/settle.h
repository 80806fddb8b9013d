/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that have only just begun. Normal context of the launcher. */
#ifndef ERTOOLS_COLLECTOR_LAUNCH_SETTLE_H
#define ERTOOLS_COLLECTOR_LAUNCH_SETTLE_H

#include <sys/types.h>

/*
 * `app & collect -P $!` often finds the shell's child before it has called exec, or the
 * program before the loader has mapped its libraries. Wait until neither is the case,
 * or until the process is half a second old, because a child that never calls exec
 * looks the same.
 */
void settle_wait(pid_t pid);

#endif
