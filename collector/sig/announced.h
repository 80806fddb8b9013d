/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information that a program has given to __register_frame(), as LLVM does
 * for the code that it makes. announced_add() and announced_remove() are for normal
 * context, one at a time; the rest runs in signal handlers beside them, without locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_ANNOUNCED_H
#define ERTOOLS_COLLECTOR_SIG_ANNOUNCED_H

#include "collector/sig/cfi.h"
#include "collector/sig/mem.h"
#include "share/types.h"

/*
 * frames: the first record of a section like .eh_frame, which ends with a zero, or an
 * FDE that is alone. 0; -ENOENT: no code is described there; -ENOSPC: there is no room.
 */
int announced_add(u64 frames);

/* The same address as before. 0, or -ENOENT. */
int announced_remove(u64 frames);

/*
 * The number of the section that describes the code at an address, or 0 if none does. A
 * number is never used again.
 */
u64 announced_number(u64 address);

/* The entry that covers an address. 0, -ENOENT. */
int announced_find(struct mem *m, u64 address, struct cfi_entry *entry);

#endif
