/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of all metrics, with those that a kind of view shows. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_CMD_METRICLIST_H
#define ERTOOLS_PRINT_CMD_METRICLIST_H

#include "print/cmd/list.h"

/* Show the list for views of that kind. As a command: 0 or 1. */
int metriclist_show(struct shell *sh, const char *command, enum mcols_view kind);

#endif
