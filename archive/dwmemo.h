/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from 64-bit keys (offsets of DIEs, addresses) to 32-bit values, in which
 * nothing is ever deleted. All zeros is an empty table. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWMEMO_H
#define ERTOOLS_ARCHIVE_DWMEMO_H

#include <stdbool.h>

#include "share/types.h"

struct dwmemo {
    u64 *keys; /* key + 1; 0: a free slot */
    u32 *values;
    u32 mask; /* number of slots - 1 */
    u32 count;
};

/*
 * The place of a key's value, which may be written until the next call. A new key has
 * the value 0. *known says whether the key was there before. NULL: no memory; *known is
 * then unchanged. Keys may be anything but UINT64_MAX.
 */
u32 *dwmemo_place(struct dwmemo *m, u64 key, bool *known);

void dwmemo_free(struct dwmemo *m);

#endif
