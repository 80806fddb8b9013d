/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report: one page for a browser with all that the model knows; it needs no
 * network. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_REPORT_H
#define ERTOOLS_PRINT_OUT_REPORT_H

#include <stdio.h>

#include "print/cmd/shell.h"
#include "print/out/reportlimits.h"

/*
 * Write a report of the experiments that the shell has loaded; if they are in several
 * groups, these are compared. 0 or -errno; ferror() says if writing failed.
 */
int report_write(struct shell *sh, const struct report_limits *limits, FILE *f);

#endif
