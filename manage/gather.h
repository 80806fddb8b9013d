/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of one MPI job that were recorded into several founders, as hosts without a
 * common file system do, brought into one. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_GATHER_H
#define ERTOOLS_MANAGE_GATHER_H

#include <stdbool.h>

/*
 * Copy all words but the last into a new experiment, the last. It appears whole or not
 * at all; the others stay what they are. Returns an enum tool_status; told. `force`:
 * also what is still being written.
 */
int gather_all(int count, char **words, bool force);

#endif
