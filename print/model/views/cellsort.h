/* SPDX-License-Identifier: Apache-2.0 */
/* The table of cells: found by key, made coarser, sorted. For the model's own use. */
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

/* Let two steps become one, or more where fewer would not help. */
void cellsort_coarsen(struct cells *cells);

/* By step, thread, node; no cell can be found any more. 0 or -ENOMEM. */
int cellsort_sort(struct cells *cells);

#endif
