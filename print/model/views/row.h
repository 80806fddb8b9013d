/* SPDX-License-Identifier: Apache-2.0 */
/* A row of a table of metrics, and how rows are sorted. See view.h. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_ROW_H
#define ERTOOLS_PRINT_MODEL_VIEWS_ROW_H

#include <stdbool.h>

#include "print/model/metric.h"

enum order_by {
    ORDER_METRIC, /* largest first */
    ORDER_NAME,   /* as function_name() has it, in the order of bytes */
    ORDER_ADDRESS,
    ORDER_SIZE, /* largest first */
};

/*
 * How rows are sorted. Rows that are equal by this are sorted by name etc., so that the
 * same experiment is always printed in the same order.
 */
struct order {
    enum order_by by;
    enum metric metric;
    enum flavour flavour;
    bool reverse;
};

/* A row. The view decides which members have a meaning; the others are 0. */
struct row {
    u32 func;       /* functions, lines, pcs */
    u32 object;     /* functions, lines, pcs, objects */
    u32 file;       /* lines, pcs: 0 = not known */
    u32 line;       /* lines, pcs: 0 = not known */
    u64 addr; /* pcs, functions: link-time address of the instruction, of the code */
    u64 size;       /* functions: bytes */
    u32 experiment; /* threads, intervals: index in the session */
    u32 index;      /* threads: in its threads.row, UINT32_MAX = of no thread;
                       intervals: of the sample point that ends it */
    struct values excl;
    struct values incl;
    struct values attr;
};

#endif
