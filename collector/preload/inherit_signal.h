/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before an exec, restore the mask and disposition of our signal as the target has set
 * them, since the new program inherits them. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_INHERIT_SIGNAL_H
#define ERTOOLS_COLLECTOR_PRELOAD_INHERIT_SIGNAL_H

#include "share/types.h"

/*
 * Call when this process is about to become another program. Sets the disposition only
 * if the target ignores the signal, and the mask only if it is blocked.
 */
void inherit_signal(void);

/* As inherit_signal(), in a vfork child: sets only the disposition. */
void inherit_signal_if_ignored(void);

/*
 * Call these two around calls in which libc creates processes: the new process then
 * gets the mask and the action for our signal that the target has set. The first
 * returns the mask that the second restores.
 */
u64 inherit_signal_begin(void);
void inherit_signal_end(u64 mask);

#endif
