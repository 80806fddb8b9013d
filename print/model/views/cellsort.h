/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of cells: finds a cell by its key, sorts cells, and makes steps longer. For
 * the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLSORT_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLSORT_H

#include "print/model/views/cells.h"

#define CELL_NONE UINT32_MAX

/* In a set that is by_step, all threads count as thread 0. */
void cellset_open(struct cellset *set, u32 budget, bool by_step);
void cellset_close(struct cellset *set);

/*
 * The index of a cell, which is made if it is new. cell.step counts the shortest steps.
 * If the budget is used up, a new cell makes the steps of the set longer; then all
 * cells get other indices. CELL_NONE: no memory.
 */
u32 cellsort_at(struct cellset *set, struct cells_key cell);

/*
 * Like cellsort_at(), in a set in which all threads count as one. cell: its thread does
 * not matter; its step is one of 1 << shift shortest steps.
 */
u32 cellsort_at_time(struct cellset *times, struct cells_key cell, u32 shift);

/* Have steps become so long that all times are in one step? */
bool cellsort_is_coarsest(const struct cellset *set);

/* Make steps at least 1 << shift of the shortest steps long. 0 or -ENOMEM. */
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
 * Append a cell, whose step counts the shortest steps. Cells with the same key are
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
 * long as the shorter ones of `set` and set->times.
 */
int cellsort_take(struct cellset *set, struct cellset *thread);

/*
 * Sort cells by step, thread and node, and merge those with the same key. 0 or -ENOMEM.
 */
int cellsort_sort(struct cellset *set);

#endif
