/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers the ranks of one MPI job into one founder, if they were recorded into several
 * founders on hosts without a common file system. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_GATHER_H
#define ERTOOLS_MANAGE_GATHER_H

#include <stdbool.h>

/*
 * Copy all words but the last into a new experiment, the last one. It appears complete
 * or not at all; the sources do not change. Returns an enum tool_status, after messages
 * about errors. `force`: also copy experiments that are still being written.
 */
int gather_all(int count, char **words, bool force);

#endif
