/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information that a program has given to __register_frame(), as LLVM does
 * for the code that it makes. announced_add() and announced_remove() are for normal
 * context, one call at a time; the other functions may run in signal handlers at the
 * same time, without locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_ANNOUNCED_H
#define ERTOOLS_COLLECTOR_SIG_ANNOUNCED_H

#include "collector/sig/cfi_entry.h"
#include "collector/sig/mem.h"
#include "share/types.h"

/*
 * Add call frame information that the program announces. frames: the address of a
 * section like .eh_frame, which ends with a zero length, or of a single FDE. 0;
 * -ENOENT: it describes no code; -ENOSPC: there is no room.
 */
int announced_add(u64 frames);

/* Remove what announced_add() has added for the same address. 0, or -ENOENT. */
int announced_remove(u64 frames);

/*
 * The number of the section whose range of code includes an address, of several the one
 * announced last; 0 if there is none. Numbers are never used again.
 */
u64 announced_number(u64 address);

/*
 * Find the entry that covers an address in the section that announced_number() names. 0
 * or -ENOENT.
 */
int announced_find(struct mem *m, u64 address, struct cfi_entry *entry);

#endif
