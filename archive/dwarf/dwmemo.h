/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from 64-bit keys (offsets of DIEs, addresses) to 32-bit values, in which
 * nothing is ever deleted. All zeros is an empty table. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWMEMO_H
#define ERTOOLS_ARCHIVE_DWARF_DWMEMO_H

#include <stdbool.h>

#include "share/types.h"

struct dwmemo {
    u64 *keys; /* key + 1; 0: a free slot */
    u32 *values;
    u32 mask; /* number of slots - 1 */
    u32 count;
};

/*
 * Where a key's value is stored; it may be written until the next call. A new key has
 * the value 0. *known: was the key there before? NULL: no memory, and *known is
 * unchanged. A key can be any number but UINT64_MAX.
 */
u32 *dwmemo_place(struct dwmemo *m, u64 key, bool *known);

void dwmemo_free(struct dwmemo *m);

#endif
