/* SPDX-License-Identifier: Apache-2.0 */
/* Names that other profilers have and er_print does not, and why not. Any context. */
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

/*
 * A text on why er_print lacks this name of `len` bytes (case ignored). NULL: the table
 * does not have the name.
 */
const char *absent_why(enum absent_kind kind, const char *name, size_t len);

#endif
