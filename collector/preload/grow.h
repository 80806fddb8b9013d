/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making data files longer from inside the target, when there is no launcher to do it.
 * Normal context, all signals blocked; errno may change.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_GROW_H
#define ERTOOLS_COLLECTOR_PRELOAD_GROW_H

#include "share/record.h"
#include "share/types.h"

/* 1 = the launcher that serves this recording is alive. */
int grow_has_launcher(void);

/* Its process id; 0 = none. Once, at the start. */
void grow_start(u32 launcher);

/*
 * One segment more than `before`, unless somebody else was faster. 0; -errno when the
 * file cannot grow: recording has then ended, and log.xml says so.
 */
int grow_file(enum er_file file, u64 before);

#endif
