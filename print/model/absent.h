/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of other profilers that are refused, and why. Any context.
 */
#ifndef ERTOOLS_PRINT_MODEL_ABSENT_H
#define ERTOOLS_PRINT_MODEL_ABSENT_H

#include <stddef.h>

enum absent_kind {
    ABSENT_COMMAND,
    ABSENT_METRIC,
    ABSENT_INDEX,  /* types of index objects */
    ABSENT_FILTER, /* words of filters */
    ABSENT_FORM,   /* of printmode */
};

/* Why a word of `len` bytes, in upper or lower case, is not there; NULL: no row. */
const char *absent_why(enum absent_kind kind, const char *name, size_t len);

#endif
