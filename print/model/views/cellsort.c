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
    SETTLE_MIN = 1 << 16, /* cells */
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    PASSES = 7, /* of sorting: the step, then the pair */
};

/* A cell while it is sorted. */
struct item {
    u64 pair; /* thread and node */
    u32 step;
    u32 index;
};

static u32
hash_of(const struct cells_key *cell)
{
    u64 key = (u64)cell->node << 32 | cell->thread;

    return (u32)hash_mix(key * 1024 + cell->step);
}

static bool
same_cell(const struct cells_key *a, const struct cells_key *b)
{
    return a->node == b->node && a->thread == b->thread && a->step == b->step;
}

/* The number of a cell + 1, 0 if there is none. */
static u32
find(const struct cells *cells, const struct cells_key *cell, u32 hash)
{
    const struct cells_slot *slot;
    u32 at = hash;

    if (!cells->slots)
        return 0;
    for (;; at++) {
        slot = &cells->slot[at & (cells->slots - 1)];
        if (!slot->index ||
            (slot->hash == hash && same_cell(&cells->cell[slot->index - 1], cell)))
            return slot->index;
    }
}

/* For a cell that has no slot yet. */
static void
fill_slot(struct cells *cells, u32 hash, u32 index)
{
    u32 at = hash & (cells->slots - 1);

    while (cells->slot[at].index)
        at = (at + 1) & (cells->slots - 1);
    cells->slot[at] = (struct cells_slot){ hash, index };
}

/* In the order of the old slots: then memory is written from its begin to its end. */
static int
double_slots(struct cells *cells)
{
    struct cells_slot *old = cells->slot;
    u32 count = cells->slots, slots = count ? count * 2 : SLOTS_MIN;
    struct cells_slot *slot = calloc(slots, sizeof(*slot));

    if (!slot)
        return -ENOMEM;
    cells->slot = slot;
    cells->slots = slots;
    for (u32 i = 0; i < count; i++)
        if (old[i].index)
            fill_slot(cells, old[i].hash, old[i].index);
    free(old);
    return 0;
}

static u32
digit(const struct item *item, u32 pass)
{
    u64 key = pass ? item->pair >> (pass - 1) * DIGIT_BITS : item->step;

    return (u32)key & (DIGITS - 1);
}

/* One pass from *items to *other, which change places; stable. */
static void
sort_digit(struct item **items, struct item **other, u32 count, u32 pass)
{
    u32 first[DIGITS] = { 0 }, sum = 0;
    struct item *from = *items;

    for (u32 i = 0; i < count; i++)
        first[digit(&from[i], pass)]++;
    if (!count || first[digit(&from[0], pass)] == count)
        return;
    for (u32 i = 0; i < DIGITS; i++) {
        u32 n = first[i];

        first[i] = sum;
        sum += n;
    }
    for (u32 i = 0; i < count; i++)
        (*other)[first[digit(&from[i], pass)]++] = from[i];
    *items = *other;
    *other = from;
}

/* All cells by thread, node, step; the caller's to free. NULL: no memory. */
static struct item *
sorted(const struct cells *cells)
{
    struct item *items = malloc(((size_t)cells->count + 1) * sizeof(*items));
    struct item *other = malloc(((size_t)cells->count + 1) * sizeof(*other));

    for (u32 i = 0; items && other && i < cells->count; i++) {
        const struct cells_key *cell = &cells->cell[i];

        items[i] = (struct item){ (u64)cell->thread << 32 | cell->node, cell->step, i };
    }
    for (u32 pass = 0; items && other && pass < PASSES; pass++)
        sort_digit(&items, &other, cells->count, pass);
    if (!other) {
        free(items);
        items = NULL;
    }
    free(other);
    return items;
}

/*
 * By how much steps must become longer so that sorted cells that are equal then are at
 * most `most`, or as long as they can be.
 */
static u32
least_shift(const struct cells *cells, const struct item *items, u32 most)
{
    u32 more[COARSEST + 1] = { 0 }; /* cells that only this shift makes equal */
    u32 count = cells->count, by = 0;

    for (u32 i = 1; i < cells->count; i++) {
        const struct item *a = &items[i - 1], *b = &items[i];
        u32 bits = a->step == b->step ? 0 : 32 - (u32)__builtin_clz(a->step ^ b->step);
        bool timeless = a->step == CELLS_TIMELESS || b->step == CELLS_TIMELESS;

        if (a->pair == b->pair && (!bits || !timeless) && bits <= COARSEST)
            more[bits]++;
    }
    count -= more[0];
    while (count > most && cells->shift + by < COARSEST)
        count -= more[++by];
    return by;
}

static u32
longer(u32 step, u32 by)
{
    return step == CELLS_TIMELESS ? step : step >> by;
}

/* Cells in the order of the items, with longer steps; those that are equal then add. */
static int
combine(struct cells *cells, const struct item *items, u32 by)
{
    struct cells_key *cell = malloc(((size_t)cells->count + 1) * sizeof(*cell));
    struct grid value = { 0 };
    u32 count = 0;

    if (!cell || grid_open_like(&value, &cells->value, cells->count) < 0) {
        free(cell);
        return -ENOMEM;
    }
    for (u32 i = 0; i < cells->count; i++) {
        struct cells_key key = cells->cell[items[i].index];

        key.step = longer(key.step, by);
        if (!count || !same_cell(&cell[count - 1], &key))
            cell[count++] = key;
        grid_add_row(&value, count - 1, &cells->value, items[i].index);
    }
    free(cells->cell);
    grid_close(&cells->value);
    cells->cell = cell;
    cells->room = cells->count + 1;
    cells->value = value;
    cells->count = count;
    cells->shift += by;
    return 0;
}

/* Make equal cells one, and steps longer until at most `most` cells are left. */
static int
settle(struct cells *cells, u32 most)
{
    struct item *items = sorted(cells);
    u32 by = 0;
    int ret;

    if (!items)
        return -ENOMEM;
    if (cells->shift < cells->least)
        by = cells->least - cells->shift;
    if (by < least_shift(cells, items, most))
        by = least_shift(cells, items, most);
    ret = combine(cells, items, by);
    free(items);
    return ret;
}

static u32
add_cell(struct cells *cells, const struct cells_key *cell)
{
    u32 rows = cells->count + cells->count / 2 + 1024;

    if (array_room(&cells->cell, &cells->room, cells->count + 1, sizeof(*cell)) < 0 ||
        (cells->count >= cells->value.rows && grid_grow(&cells->value, rows) < 0))
        return CELL_NONE;
    cells->cell[cells->count] = *cell;
    return cells->count++;
}

/*
 * Where longer steps would save few cells, as of stacks that are all different, the
 * longest ones are chosen at once: it would soon come to that.
 */
static int
coarsen(struct cells *cells)
{
    int ret = settle(cells, cells->budget - cells->budget / 8);

    if (ret < 0)
        return ret;
    memset(cells->slot, 0, cells->slots * sizeof(*cells->slot));
    for (u32 i = 0; i < cells->count; i++)
        fill_slot(cells, hash_of(&cells->cell[i]), i + 1);
    return 0;
}

u32
cellsort_at(struct cells *cells, struct cells_key cell)
{
    u32 step = cell.step, hash, at;

    for (;;) {
        cell.step = longer(step, cells->shift);
        hash = hash_of(&cell);
        at = find(cells, &cell, hash);
        if (at)
            return at - 1;
        if (cells->count < cells->budget || cells->shift >= COARSEST)
            break;
        if (coarsen(cells) < 0)
            return CELL_NONE;
    }
    if (cells->count + 1 > cells->slots / 2 && double_slots(cells) < 0)
        return CELL_NONE;
    at = add_cell(cells, &cell);
    if (at != CELL_NONE)
        fill_slot(cells, hash, at + 1);
    return at;
}

u32
cellsort_expect(const struct cells *cells, struct cells_key cell)
{
    u32 hash;

    cell.step = longer(cell.step, cells->shift);
    hash = hash_of(&cell);
    __builtin_prefetch(&cells->slot[hash & (cells->slots - 1)]);
    return hash;
}

void
cellsort_expect_row(const struct cells *cells, u32 hash)
{
    const struct cells_slot *slot = &cells->slot[hash & (cells->slots - 1)];

    if (!slot->index)
        return;
    __builtin_prefetch(&cells->cell[slot->index - 1]);
    __builtin_prefetch(grid_row(&cells->value, slot->index - 1), 1);
}

u32
cellsort_append(struct cells *cells, struct cells_key cell)
{
    if (cells->count >= SETTLE_MIN && cells->count / 2 >= cells->settled) {
        if (settle(cells, cells->budget) < 0)
            return CELL_NONE;
        cells->settled = cells->count;
    }
    cell.step = longer(cell.step, cells->shift);
    return add_cell(cells, &cell);
}

int
cellsort_sort(struct cells *cells)
{
    struct item *items, *other;
    int ret = settle(cells, cells->budget);

    if (ret < 0)
        return ret;
    items = sorted(cells);
    other = malloc(((size_t)cells->count + 1) * sizeof(*other));
    if (items && other) {
        sort_digit(&items, &other, cells->count, 0);
        ret = combine(cells, items, 0);
    } else {
        ret = -ENOMEM;
    }
    free(items);
    free(other);
    return ret;
}
