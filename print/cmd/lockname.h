/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a lock's object. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_LOCKNAME_H
#define ERTOOLS_PRINT_CMD_LOCKNAME_H

#include "print/cmd/shell.h"

/*
 * The name of the lock's variable if it is known; else its address, "0x55d0c0de". The
 * table owns the text. kind: as in struct lock.
 */
const char *lockname(struct shell *sh, struct table *t, u32 experiment, u32 kind,
                     u64 addr);

#endif
