/* SPDX-License-Identifier: Apache-2.0 */
/* The recording of a child that was just forked. Normal context of the child. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_CHILD_H
#define ERTOOLS_COLLECTOR_PRELOAD_CHILD_H

#include "share/ctl.h"
#include "share/types.h"

/*
 * In a child that is not recorded: restore the target's signal actions. mask:
 * the signal mask with which the target continues. Returns the mask, with our signal
 * added if the target has that signal blocked.
 */
u64 child_leave(u64 mask);

/*
 * The parent records: begin a recording with its
 * own experiment. *mask: as in thread_begin_child(). 0, or -errno: the child is not
 * recorded, and child_leave() must be called.
 */
int child_begin(enum er_how how, u64 *mask);

#endif
