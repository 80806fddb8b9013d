/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a bound filter's nodes. Any thread. For filterbind.c and tests.
 *
 * Numbers are signed 64-bit and wrap. A property that an event lacks is unknown, and so
 * is anything computed from it, or divided by 0. Comparisons and IN with unknown values
 * are false, and the operators &&, ||, ! and ?: take an unknown value as false.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERMATH_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERMATH_H

#include "print/model/filter/filterbind.h"

struct filter_value {
    int64_t v;
    bool known;
};

struct filter_value filtermath_value(const struct bound_filter *bound, u32 node,
                                     const struct filter_event *event);

#endif
