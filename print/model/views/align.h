/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches the elements of two sequences, as diff(1) does. Any context that may
 * allocate.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_ALIGN_H
#define ERTOOLS_PRINT_MODEL_VIEWS_ALIGN_H

#include "share/types.h"

enum {
    ALIGN_NONE = UINT32_MAX,
};

/*
 * Pair as many equal elements of a and b as possible, in order: match[i], for element i
 * of b, becomes the index of its partner in a, or ALIGN_NONE. The table that this takes
 * may be at most 64 MiB large. If the differing parts are too long for that, only the
 * common beginning and end are paired. 0 or -ENOMEM.
 */
int align(const u64 *a, u32 na, const u64 *b, u32 nb, u32 *match);

#endif
