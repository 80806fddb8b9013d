/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before an exec, restore the mask and disposition of our signal as the target has set
 * them, since the new program inherits them. Normal context. See also
 * recording_yield_signal().
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_INHERIT_SIGNAL_H
#define ERTOOLS_COLLECTOR_PRELOAD_INHERIT_SIGNAL_H

/*
 * Call when this process is about to become another program. Sets the disposition only
 * if the target ignores the signal, and the mask only if it is blocked.
 */
void inherit_signal(void);

/* As inherit_signal(), in a vfork child: sets only the disposition. */
void inherit_signal_if_ignored(void);

#endif
