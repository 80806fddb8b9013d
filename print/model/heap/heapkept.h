/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of blocks that were never freed, by what became of them. For the model's own
 * use; struct kept itself is in heap.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPKEPT_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPKEPT_H

#include "print/model/heap/blocks.h"
#include "print/model/heap/heapscan.h"

/*
 * Fill scan->kept and scan->process at the end of a pass. blocks: those that were not
 * freed; their times count from `base`. 0 or -ENOMEM.
 */
int heapkept_sum(struct experiment *experiment, const struct blocks *blocks, u64 base,
                 struct heap_scan *scan);

#endif
