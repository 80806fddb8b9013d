/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of threads that are not recorded themselves. Normal context of a thread or of
 * the target's signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_STRAY_H
#define ERTOOLS_COLLECTOR_PRELOAD_STRAY_H

#include "collector/sig/thread.h"
#include "share/types.h"

/*
 * The struct that stands for threads that are not recorded themselves, because their
 * beginning was not seen, or their end has begun. It is locked, and all signals are
 * blocked, until stray_leave(). NULL if there is none: then stray_leave() must not be
 * called.
 */
struct thread *stray_enter(u64 *mask);
void stray_leave(u64 mask);

/* In a forked child: forget the parent's struct of stray_enter(). */
void stray_forget(void);

#endif
