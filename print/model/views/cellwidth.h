/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the length of a step of time. For cells.c. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLWIDTH_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLWIDTH_H

#include "share/types.h"

/*
 * Get the shortest step of at least `ns` of which a whole number is a power of ten of
 * ns. It is at most 1.28 times as long as `ns`, except for very short steps. ns is
 * below 10^14.
 */
u64 cellwidth(u64 ns);

#endif
