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
 * 1: none of its frames is in the loader, an allocator or libc's bookkeeping of
 * threads, and the walk came to the stack's root. 0: it is not so, or nobody can tell.
 */
int walk_is_safe(const struct images *all, const struct tracee *t);

/* 1: its innermost frames, or a signal handler's, are the collector's. */
int walk_is_ours(const struct images *all, const struct tracee *t);

#endif
