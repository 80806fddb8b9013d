/* SPDX-License-Identifier: Apache-2.0 */
/* Names of objects for which threads wait. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKNAME_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKNAME_H

#include "print/model/session.h"

/*
 * The name of the variable at the address; or else the address; or a descriptor's
 * number. kind: as in struct lock. The caller frees it; NULL = no memory.
 */
char *lockname_get(struct session *session, u32 experiment, u32 kind, u64 addr);

#endif
