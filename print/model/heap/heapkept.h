/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of blocks that were never freed, by what became of them. For the model's own
 * use; struct heap_kept itself is in heapsums.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPKEPT_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPKEPT_H

#include "print/load/experiment.h"
#include "print/model/heap/blocks.h"
#include "print/model/heap/heapresult.h"

/*
 * Fill scan->kept, and set scanned, ran_on and why of scan->process, at the end of a
 * pass. blocks: those that were not freed; their times count from `base`, a record
 * time. 0 or -ENOMEM.
 */
int heapkept_sum(struct experiment *experiment, const struct blocks *blocks, u64 base,
                 struct heap_scan *scan);

#endif
