/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements of two sequences are the same ones, as diff(1) would say. Any context
 * that may allocate.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_ALIGN_H
#define ERTOOLS_PRINT_MODEL_VIEWS_ALIGN_H

#include "share/types.h"

enum {
    ALIGN_NONE = UINT32_MAX,
};

/*
 * Pair equal elements of a and b, in order, as many as can be: match[i], of an element
 * i of b, becomes the index of its pair in a, or ALIGN_NONE. Where both differ over so
 * long a way that the table would take more than 64 MiB, nothing is paired between the
 * beginning and the end that are alike. 0 or -ENOMEM.
 */
int align(const u64 *a, u32 na, const u64 *b, u32 nb, u32 *match);

#endif
