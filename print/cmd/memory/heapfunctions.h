/* SPDX-License-Identifier: Apache-2.0 */
/* What functions held of the heap over time. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_MEMORY_HEAPFUNCTIONS_H
#define ERTOOLS_PRINT_CMD_MEMORY_HEAPFUNCTIONS_H

#include "print/cmd/list.h"
#include "print/model/heap/heap.h"

/*
 * Show `count` processes in this order, each in at most `steps` steps. Returns 0 or 1.
 */
int heapfunctions_show(struct shell *sh, const char *command, const struct heap *heap,
                       const struct heap_process **process, u32 count, u32 steps);

#endif
