/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers the ranks of one MPI job into one founder, if they were recorded into several
 * founders on hosts without a common file system. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_GATHER_H
#define ERTOOLS_MANAGE_GATHER_H

#include <stdbool.h>

/*
 * Copy the experiments named by all words but the last into a new experiment, the last
 * word. It appears complete or not at all; the sources are not changed. Reports errors;
 * returns an enum tool_status. `force`: also copy experiments that are still being
 * written.
 */
int gather_all(int count, char **words, bool force);

#endif
