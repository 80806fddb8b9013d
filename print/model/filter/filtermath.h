/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the values of a bound filter's nodes. Any thread. For the model's own use.
 *
 * Numbers are signed, have 64 bits, and wrap. If an event lacks a property, its value
 * is unknown, and so is all that is computed from it; so is a quotient by 0.
 * Comparisons and IN with unknown values are false; &&, ||, ! and ?: take an unknown
 * operand as false.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERMATH_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERMATH_H

#include "print/model/filter/filterbound.h"

struct filter_value {
    int64_t v;
    bool known;
};

/* The value of a node for an event. */
struct filter_value filtermath_value(const struct bound_filter *bound, u32 node,
                                     const struct filter_event *event);

#endif
