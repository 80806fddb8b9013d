/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/cellsort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/load/hash.h"

enum {
    SLOTS_MIN = 1024,
    COARSEST = 10, /* all steps are one */
};

static u32
first_slot(const struct cells *cells, const struct cells_key *cell)
{
    u64 key = (u64)cell->node << 32 | cell->thread;

    return (u32)hash_mix(key * 1024 + cell->step) & (cells->slots - 1);
}

static bool
same_cell(const struct cells_key *a, const struct cells_key *b)
{
    return a->node == b->node && a->thread == b->thread && a->step == b->step;
}

/* Where a cell's number stands, or would stand. */
static u32
find_slot(const struct cells *cells, const struct cells_key *cell)
{
    u32 at = first_slot(cells, cell);

    while (cells->slot[at] && !same_cell(&cells->cell[cells->slot[at] - 1], cell))
        at = (at + 1) & (cells->slots - 1);
    return at;
}

static int
set_slots(struct cells *cells, u32 slots)
{
    u32 *slot = calloc(slots, sizeof(*slot));

    if (!slot)
        return -ENOMEM;
    free(cells->slot);
    cells->slot = slot;
    cells->slots = slots;
    for (u32 i = 0; i < cells->count; i++)
        slot[find_slot(cells, &cells->cell[i])] = i + 1;
    return 0;
}

int
cellsort_coarsen(struct cells *cells)
{
    u32 count = cells->count;

    cells->count = 0;
    cells->shift++;
    if (cells->slot)
        memset(cells->slot, 0, cells->slots * sizeof(*cells->slot));
    for (u32 i = 0; i < count; i++) {
        struct cells_key cell = cells->cell[i];
        struct values values = grid_get(&cells->value, i);
        u32 at;

        if (cell.step != CELLS_TIMELESS)
            cell.step >>= 1;
        at = find_slot(cells, &cell);
        memset(grid_row(&cells->value, i), 0, cells->value.width * sizeof(int64_t));
        if (!cells->slot[at]) {
            cells->cell[cells->count] = cell;
            cells->slot[at] = ++cells->count;
        }
        if (grid_add(&cells->value, cells->slot[at] - 1, &values) < 0)
            return -ENOMEM;
    }
    return 0;
}

static u32
add_cell(struct cells *cells, const struct cells_key *cell)
{
    u32 rows = cells->count + cells->count / 2 + 1024;

    if (array_room(&cells->cell, &cells->room, cells->count + 1, sizeof(*cell)) < 0 ||
        (cells->count >= cells->value.rows && grid_grow(&cells->value, rows) < 0) ||
        (cells->count + 1 > cells->slots / 2 &&
         set_slots(cells, cells->slots ? cells->slots * 2 : SLOTS_MIN) < 0))
        return CELL_NONE;
    cells->cell[cells->count] = *cell;
    cells->slot[find_slot(cells, cell)] = cells->count + 1;
    return cells->count++;
}

u32
cellsort_at(struct cells *cells, struct cells_key cell)
{
    u32 step = cell.step;

    for (;;) {
        u32 at;

        cell.step = step == CELLS_TIMELESS ? step : step >> cells->shift;
        at = cells->slots ? cells->slot[find_slot(cells, &cell)] : 0;
        if (at)
            return at - 1;
        if (cells->count < cells->budget || cells->shift == COARSEST)
            return add_cell(cells, &cell);
        if (cellsort_coarsen(cells) < 0)
            return CELL_NONE;
    }
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct cells_key *cell = context;
    const struct cells_key *x = &cell[*(const u32 *)a], *y = &cell[*(const u32 *)b];

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

int
cellsort_sort(struct cells *cells)
{
    u32 *order = malloc(((size_t)cells->count + 1) * sizeof(*order));
    struct cells_key *cell = malloc(((size_t)cells->count + 1) * sizeof(*cell));
    struct grid value = { 0 };
    int ret = grid_open_like(&value, &cells->value, cells->count);

    if (!order || !cell)
        ret = -ENOMEM;
    if (ret == 0) {
        for (u32 i = 0; i < cells->count; i++)
            order[i] = i;
        if (cells->count > 1)
            qsort_r(order, cells->count, sizeof(*order), compare, cells->cell);
        for (u32 i = 0; i < cells->count; i++) {
            cell[i] = cells->cell[order[i]];
            grid_add_row(&value, i, &cells->value, order[i]);
        }
        free(cells->cell);
        grid_close(&cells->value);
        cells->cell = cell;
        cells->value = value;
        cell = NULL;
        value = (struct grid){ 0 };
    }
    free(order);
    free(cell);
    grid_close(&value);
    free(cells->slot);
    cells->slot = NULL;
    cells->slots = 0;
    return ret;
}
