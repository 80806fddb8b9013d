/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts of wall time in normal context; see sig/wall.h. Nothing here changes errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_WALL_H
#define ERTOOLS_COLLECTOR_PRELOAD_WALL_H

#include "collector/sig/thread.h"
#include "collector/sig/wall.h"
#include "share/types.h"

/*
 * How long a thread of this process has waited for a processor so far, ns; 0 if the
 * kernel does not tell.
 */
u64 wall_delay_of(u32 tid);

/* Copy thread t's time of waiting for a processor (wall_delay_of()) into its row. */
void wall_update_delay(struct thread *t);

/*
 * wall_waited() for hooks. Does nothing if t is not the calling thread's own struct, or
 * recording is paused, over or restricted.
 */
void wall_over(struct thread *t, u32 state, u64 ticks, u32 node);

#endif
