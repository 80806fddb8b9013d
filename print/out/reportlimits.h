/* SPDX-License-Identifier: Apache-2.0 */
/* How much a report may contain. */
#ifndef ERTOOLS_PRINT_OUT_REPORTLIMITS_H
#define ERTOOLS_PRINT_OUT_REPORTLIMITS_H

#include "share/types.h"

struct report_limits {
    u32 cells;    /* cells: (stack, thread, step of time) */
    u64 source;   /* bytes of source text */
    u32 listings; /* functions whose instructions are listed */
};

#endif
