/* SPDX-License-Identifier: Apache-2.0 */
/* Shows Java's objects by class and by method, as far as they were sampled. */
#ifndef ERTOOLS_PRINT_CMD_MEMORY_HEAPJAVA_H
#define ERTOOLS_PRINT_CMD_MEMORY_HEAPJAVA_H

#include "print/cmd/list.h"

/* Do any sampled Java objects pass the filter? */
bool heapjava_any(struct shell *sh);

/* Append the two tables to *t. 0 or -errno. */
int heapjava_follow(struct shell *sh, const char *command, struct table **t);

#endif
