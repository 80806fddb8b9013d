/* SPDX-License-Identifier: Apache-2.0 */
/* What to call the object of a lock. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_LOCKNAME_H
#define ERTOOLS_PRINT_CMD_LOCKNAME_H

#include "print/cmd/shell.h"

/* "0x55d0c0de", or better, in the table's memory. kind: as in struct lock. */
const char *lockname(struct shell *sh, struct table *t, u32 experiment, u32 kind,
                     u64 addr);

#endif
