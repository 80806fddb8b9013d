/* SPDX-License-Identifier: Apache-2.0 */
/* The table of cells: found by key or sorted, made coarser. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLSORT_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLSORT_H

#include "print/model/views/cells.h"

#define CELL_NONE UINT32_MAX

/*
 * The number of a cell, made when it is new; its step is given at the finest. All
 * numbers change where the table becomes coarser, which a new cell may bring about.
 * CELL_NONE: no memory.
 */
u32 cellsort_at(struct cells *cells, struct cells_key cell);

/*
 * Let memory bring what cellsort_at() will want soon: first the slot, whose hash this
 * returns, then the cell. For a table that is not empty.
 */
u32 cellsort_expect(const struct cells *cells, struct cells_key cell);
void cellsort_expect_row(const struct cells *cells, u32 hash);

/*
 * A new cell, its step at the finest; those that have the same key become one later, so
 * that numbers hold only until the next call. Not in a table that cellsort_at() fills.
 * cells->least may grow between calls. CELL_NONE: no memory.
 */
u32 cellsort_append(struct cells *cells, struct cells_key cell);

/* By step, thread, node, each key once. 0 or -ENOMEM. */
int cellsort_sort(struct cells *cells);

#endif
