/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heap: what each stack allocated, what was never freed, what was held when the
 * process held most, and how long blocks lived.
 *
 * Blocks are what malloc and similar functions returned; mappings without a file and
 * the break count as blocks, too. A filter selects blocks by the thread and the time of
 * their allocation; the peak is always that of the whole process.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAP_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAP_H

#include <stdbool.h>

#include "print/model/grid.h"
#include "print/model/heap/heapsums.h"
#include "print/model/session.h"

struct bound_filter;

struct heap_stack {
    u32 node; /* for stack_frames() */
    struct heap_sums sums;
    struct heap_kept kept;
};

struct heap {
    struct heap_stack *stack; /* those with calls; heap_settle() sorts them by node */
    u32 count;
    u32 room;
    u32 *place; /* [node]: index in `stack` + 1, 0 = none; freed by heap_settle() */
    u32 places;
    struct heap_process *process;
    u32 nprocesses;
    struct heap_sums class[HEAP_CLASSES]; /* by size, over all processes */
};

/*
 * Did collect detach from all processes with heap data, so that they continued to run?
 */
bool heap_ran_on(const struct heap *heap);

/*
 * Count the blocks that are lost, directly or not; where that is not known, all but
 * those that an exec has ended.
 */
struct heap_count heap_lost(const struct heap_sums *sums, const struct heap_kept *kept);

/* Count the blocks never freed that are or may be reachable, and mappings. */
struct heap_count heap_reached(const struct heap_kept *kept);

/* For the model's own use: convert sums to values of metrics. */
struct values heap_values(const struct heap_sums *sums, const struct heap_kept *kept);

/*
 * For the model's own use: add the heap of experiment `index` to sums: to `nodes`
 * (exclusive values by stack node of the session), to `threads` (by slot), and to
 * *heap, whose stacks heap_settle() sorts later. filter: see heapscan_run(). 0 or
 * -ENOMEM.
 */
int heap_add(struct session *session, u32 index, const struct bound_filter *filter,
             struct grid *nodes, struct values *threads, struct heap *heap);
void heap_settle(struct heap *heap);
void heap_free(struct heap *heap);

#endif
