/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the length of a step of time. For cells.c. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLWIDTH_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLWIDTH_H

#include "share/types.h"

/*
 * The next longer step such that a whole number of steps is a second, or a power of ten
 * of ns. It is at most 1.28 times as long, except for very short steps. ns is below
 * 10^14.
 */
u64 cellwidth(u64 ns);

#endif
