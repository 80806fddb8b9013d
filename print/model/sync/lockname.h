/* SPDX-License-Identifier: Apache-2.0 */
/* Names of objects for which threads wait. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKNAME_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKNAME_H

#include "print/model/session.h"

/*
 * Get a name for an object. kind, addr: as in struct lock. It is the variable at the
 * address, else the address; of a file lock, the descriptor's number; of the end of a
 * thread, the thread's id, if known; of a Java object, its class and number. The caller
 * frees the name; NULL = no memory.
 */
char *lockname_get(struct session *session, u32 experiment, u32 kind, u64 addr);

#endif
