/* SPDX-License-Identifier: Apache-2.0 */
/* How an object that is waited for is called. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKNAME_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKNAME_H

#include "print/model/session.h"

/*
 * The variable that it is, else its address, or a descriptor; kind: as in struct lock.
 * The caller's to free; NULL = no memory.
 */
char *lockname_get(struct session *session, u32 experiment, u32 kind, u64 addr);

#endif
