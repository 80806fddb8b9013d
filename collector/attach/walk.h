/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack of a stopped thread of another process, by call frame information, and
 * whether the thread may be made to call pthread_create() where it is. Normal context
 * of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_WALK_H
#define ERTOOLS_COLLECTOR_ATTACH_WALK_H

#include "collector/attach/image.h"
#include "collector/attach/tracee.h"

/*
 * 1: the walk reached the stack's root, and no frame is in the loader, an allocator or
 * libc's thread management. 0: a frame is in one of these, or the walk has failed.
 */
int walk_is_safe(const struct images *all, const struct tracee *t);

/* 1: one of the innermost frames is of the collector's own work. */
int walk_is_ours(const struct images *all, const struct tracee *t);

#endif
