/* SPDX-License-Identifier: Apache-2.0 */
/* How long a step of time is. For cells.c. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLWIDTH_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLWIDTH_H

#include "share/types.h"

/*
 * The next longer step of which a whole number is a second, or a power of ten of ns.
 * It is at most 1.28 times as long, but for very short ones. ns is below 10^14.
 */
u64 cellwidth(u64 ns);

#endif
