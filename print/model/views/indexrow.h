/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of an index object. See index.h. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_INDEXROW_H
#define ERTOOLS_PRINT_MODEL_VIEWS_INDEXROW_H

#include <stdbool.h>

#include "print/model/metric.h"

enum {
    INDEX_KEYS = 3, /* expressions of a key, at most */
};

struct index_key {
    int64_t v[INDEX_KEYS];
    bool known; /* false: the row is of events for which a value is not known */
};

struct index_row {
    struct index_key key;
    struct values value;
};

#endif
