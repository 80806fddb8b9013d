/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from 64-bit keys (offsets of DIEs, addresses) to 32-bit values, which
 * only grows. All zeros is an empty one. Ordinary process context.
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
 * The value of a key, which may be written through the pointer until the next call. A
 * new key has the value 0. Sets *known to whether the key was there before. NULL: no
 * memory; *known is then unchanged. Any key but UINT64_MAX will do.
 */
u32 *dwmemo_place(struct dwmemo *m, u64 key, bool *known);

void dwmemo_free(struct dwmemo *m);

#endif
