/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of cells (cellset.h): finds a cell by its key, sorts cells, and merges
 * steps of time into longer ones. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLSORT_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLSORT_H

#include "print/model/views/cellset.h"

#define CELL_NONE UINT32_MAX

/* Make an empty set. budget, by_step: as in struct cellset. */
void cellsort_open(struct cellset *set, u32 budget, bool by_step);
void cellsort_close(struct cellset *set);

/*
 * Get the index of a cell, which is added if it is new. cell.step counts the finest
 * steps. If the budget is used up, adding a cell makes the steps of the set longer;
 * then all cells get other indices. CELL_NONE: no memory.
 */
u32 cellsort_at(struct cellset *set, struct cells_key cell);

/*
 * Like cellsort_at(), in a set in which all threads count as one. cell: its thread does
 * not matter; its step counts steps of 1 << shift finest steps.
 */
u32 cellsort_at_time(struct cellset *times, struct cells_key cell, u32 shift);

/* Have steps become so long that all times are in one step? */
bool cellsort_is_coarsest(const struct cellset *set);

/* Make steps at least 1 << shift of the finest steps long. 0 or -ENOMEM. */
int cellsort_coarsen(struct cellset *set, u32 shift);

/*
 * Prefetch what cellsort_at() will soon need. cellsort_expect() prefetches the slot,
 * and returns it (NULL = none); later, cellsort_expect_row() prefetches the cell's
 * values.
 */
const struct cells_slot *cellsort_expect(const struct cellset *set,
                                         struct cells_key cell);
void cellsort_expect_row(const struct cellset *set, const struct cells_slot *slot);

/*
 * Append a cell, whose step counts the finest steps. Cells with the same key are
 * merged later, so the index returned is valid only until the next call. Not for a set
 * that is filled by cellsort_at(). set->least may grow between calls. CELL_NONE: no
 * memory.
 */
u32 cellsort_append(struct cellset *set, struct cells_key cell);

/*
 * Move the cells of one thread from the set `thread` to `set`, which must have `times`,
 * and which no other function may fill. cellsort_at() has filled `thread`, and it must
 * not have reached its budget. (Several small tables, each sorted, take less time than
 * a large one.) `thread` is then empty and ready for the next thread; its steps are as
 * long as those of `set` or set->times, whichever are shorter. 0 or -ENOMEM.
 */
int cellsort_merge(struct cellset *set, struct cellset *thread);

/*
 * Sort cells by step, thread and node, and merge those with the same key. 0 or -ENOMEM.
 */
int cellsort_sort(struct cellset *set);

#endif
