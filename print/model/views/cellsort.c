/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/cellsort.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/load/hash.h"

enum {
    SLOTS_MIN = 1024,
    COARSEST = 10, /* all steps are one */
    LITTLE = 20,   /* percent of the cells: where so few went, more steps become one */
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

/* Let 2^by steps become one. */
static void
coarsen(struct cells *cells, u32 by)
{
    u32 count = cells->count;

    cells->count = 0;
    cells->shift += by;
    if (cells->slot)
        memset(cells->slot, 0, cells->slots * sizeof(*cells->slot));
    for (u32 i = 0; i < count; i++) {
        struct cells_key cell = cells->cell[i];
        size_t size = cells->value.width * sizeof(int64_t);
        int64_t *row = grid_row(&cells->value, i), *to, values[METRIC_COUNT];
        u32 at;

        if (cell.step != CELLS_TIMELESS)
            cell.step >>= by;
        at = find_slot(cells, &cell);
        memcpy(values, row, size);
        memset(row, 0, size);
        if (!cells->slot[at]) {
            cells->cell[cells->count] = cell;
            cells->slot[at] = ++cells->count;
        }
        to = grid_row(&cells->value, cells->slot[at] - 1);
        for (u32 c = 0; c < cells->value.width; c++)
            to[c] = (int64_t)((u64)to[c] + (u64)values[c]);
    }
}

void
cellsort_coarsen(struct cells *cells)
{
    u32 by = cells->kept > 100 - LITTLE && cells->shift + 3 <= COARSEST ? 3 : 1;
    u32 count = cells->count;

    coarsen(cells, by);
    cells->kept = count ? (u32)((u64)cells->count * 100 / count) : 0;
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
        cellsort_coarsen(cells);
    }
}

/* Sort numbers of cells by 16 bits of a member, those that are equal as they stand. */
static void
sort_by(const struct cells *cells, size_t member, u32 shift, const u32 *from, u32 *to)
{
    u32 first[1 << 16] = { 0 }, sum = 0;
    const char *key = (const char *)cells->cell + member;

#define DIGIT(i) (*(const u32 *)(key + (i) * sizeof(*cells->cell)) >> shift & 0xffff)
    for (u32 i = 0; i < cells->count; i++)
        first[DIGIT((size_t)i)]++;
    for (u32 i = 0; i < 1 << 16; i++) {
        u32 n = first[i];

        first[i] = sum;
        sum += n;
    }
    for (u32 i = 0; i < cells->count; i++)
        to[first[DIGIT((size_t)from[i])]++] = from[i];
#undef DIGIT
}

/* The last member that is sorted by matters most. */
static void
sort_all(const struct cells *cells, u32 *order, u32 *other)
{
    sort_by(cells, offsetof(struct cells_key, node), 0, order, other);
    sort_by(cells, offsetof(struct cells_key, node), 16, other, order);
    sort_by(cells, offsetof(struct cells_key, thread), 0, order, other);
    sort_by(cells, offsetof(struct cells_key, thread), 16, other, order);
    sort_by(cells, offsetof(struct cells_key, step), 0, order, other);
    memcpy(order, other, cells->count * sizeof(*order));
}

int
cellsort_sort(struct cells *cells)
{
    u32 *order = calloc((size_t)cells->count + 1, sizeof(*order));
    u32 *other = calloc((size_t)cells->count + 1, sizeof(*other));
    struct cells_key *cell = malloc(((size_t)cells->count + 1) * sizeof(*cell));
    struct grid value = { 0 };
    int ret = grid_open_like(&value, &cells->value, cells->count);

    if (!order || !other || !cell)
        ret = -ENOMEM;
    if (ret == 0) {
        for (u32 i = 0; i < cells->count; i++)
            order[i] = i;
        sort_all(cells, order, other);
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
    free(other);
    free(cell);
    grid_close(&value);
    free(cells->slot);
    cells->slot = NULL;
    cells->slots = 0;
    return ret;
}
