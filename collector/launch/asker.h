/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who asks: processes that see another number of themselves than we do name the place
 * of a lock on the founder's control page instead. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_ASKER_H
#define ERTOOLS_LAUNCH_ASKER_H

#include <sys/types.h>

#include "share/types.h"

/*
 * Begin, with a lock of our own by which processes know that we are there; dir: the
 * founder's directory. On a file system without locks, nothing happens.
 */
void asker_start(int dir);

/* In a fork of the launcher: take the lock when that has let it go. */
void asker_continue(void);

/* The process with that number of a request; 0 = it is known to have gone. */
pid_t asker_pid(u32 number);

int asker_has_gone(u32 number);

void asker_stop(void);

#endif
