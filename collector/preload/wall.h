/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts of wall time in normal context; see sig/wall.h. Nothing here changes errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_WALL_H
#define ERTOOLS_COLLECTOR_PRELOAD_WALL_H

#include "collector/sig/thread.h"
#include "share/types.h"

/*
 * How long a thread of this process has waited for a processor up to now, ns; 0 where
 * the kernel does not say.
 */
u64 wall_delay_of(u32 tid);

/* The same into the thread's row. */
void wall_look(struct thread *t);

/* For hooks: wall_waited(), unless this is not the thread that it seems to be. */
void wall_over(struct thread *t, u32 state, u64 ticks, u32 node);

#endif
