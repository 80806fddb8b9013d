/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of blocks that were never freed: reads the file heapend, which collect
 * writes when a process ends. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPEND_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPEND_H

#include <stdbool.h>

#include "print/load/experiment.h"
#include "share/record.h"
#include "share/types.h"

/* Blocks of one class that lie side by side. */
struct heapend_run {
    u64 addr;
    u64 span; /* they begin in [addr, addr + span) */
    u64 head; /* LEFT_INDIRECT: the address of the lost block that leads to them */
    u32 class;
};

/* All 0 is empty. */
struct heapend {
    bool scanned; /* the process was scanned */
    u64 time; /* when, in ticks */
    struct heapend_run *run; /* by address */
    u32 count;
    u32 room;
};

/*
 * Read the file. If there is none, or the process was not scanned, *end is empty. 0 or
 * -ENOMEM.
 */
int heapend_read(struct experiment *experiment, struct heapend *end);
void heapend_free(struct heapend *end);

/* Get the run that contains the address addr; NULL = there is none. */
const struct heapend_run *heapend_find(const struct heapend *end, u64 addr);

#endif
