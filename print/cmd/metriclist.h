/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists all metrics, and marks those that a kind of view shows. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_CMD_METRICLIST_H
#define ERTOOLS_PRINT_CMD_METRICLIST_H

#include "print/cmd/list.h"

/* Show the list for that kind of view. 0, or 1 after a message. */
int metriclist_show(struct shell *sh, const char *command, enum mcols_view kind);

#endif
