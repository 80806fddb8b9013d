/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report: one page for browsers with all that the model knows, to be looked at
 * without a network. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_REPORT_H
#define ERTOOLS_PRINT_OUT_REPORT_H

#include <stdio.h>

#include "print/cmd/shell.h"

struct report_limits {
    u32 cells;    /* cells: (stack, thread, step of time) */
    u64 source;   /* bytes of source */
    u32 listings; /* functions whose instructions are listed */
};

/*
 * Write the experiments of the shell; groups are compared if there are several. 0 or
 * -errno of the model; errors of writing are found by ferror().
 */
int report_write(struct shell *sh, const struct report_limits *limits, FILE *f);

#endif
