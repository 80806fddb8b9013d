/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What other programs inherit of our signal: its mask and disposition as the target has
 * them. Normal context. See also recording_lend_signal().
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_LEND_H
#define ERTOOLS_COLLECTOR_PRELOAD_LEND_H

/* This process is about to become another program. */
void lend_hand_down(void);

/* The same for a vfork child, whose actions in the kernel are its own already. */
void lend_hand_down_ignored(void);

#endif
