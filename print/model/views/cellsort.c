/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/cellsort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"

enum {
    SLOTS_MIN = 64,
    COARSEST = 10, /* shift at which all times are in one step */
    TOO_LARGE = 32, /* a table with more slots for each used one is freed */
    SETTLE_MIN = 1 << 20, /* cells */
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    PASSES = 7, /* digits of the step (1) and of the pair (6) */
    AHEAD = 16, /* cells that are prefetched at a time */
};

/* A cell while it is sorted. */
struct item {
    u64 pair; /* thread and node */
    u32 step;
    u32 index;
};

void
cellsort_open(struct cellset *set, u32 budget, bool by_step)
{
    *set = (struct cellset){ .budget = budget, .by_step = by_step };
    grid_open(&set->value);
}

static void
close_tables(struct cellset *set)
{
    for (u32 i = 0; i < set->tables; i++)
        free(set->table[i].slot);
    free(set->table);
    set->table = NULL;
    set->tables = set->tables_room = 0;
}

void
cellsort_close(struct cellset *set)
{
    close_tables(set);
    free(set->cell);
    grid_close(&set->value);
    memset(set, 0, sizeof(*set));
}

static u32
hash_of(u32 node, u32 step)
{
    return (u32)hash_mix((u64)node * 1024 + step);
}

static bool
same_cell(const struct cells_key *a, const struct cells_key *b)
{
    return a->node == b->node && a->thread == b->thread && a->step == b->step;
}

static u32
table_number(const struct cellset *set, const struct cells_key *cell)
{
    if (set->one_thread)
        return 0;
    return set->by_step ? cell->step : cell->thread;
}

/* The table of a cell; NULL: no memory. */
static struct cells_table *
table_of(struct cellset *set, const struct cells_key *cell)
{
    u32 number = table_number(set, cell);

    if (ER_UNLIKELY(number >= set->tables)) {
        if (array_room(&set->table, &set->tables_room, number + 1,
                       sizeof(*set->table)) < 0)
            return NULL;
        while (set->tables <= number)
            set->table[set->tables++] = (struct cells_table){ 0 };
    }
    return &set->table[number];
}

/* The index of a cell + 1, 0 if it is not in the table. */
static u32
find(const struct cells_table *table, const struct cells_key *cell)
{
    u32 at = hash_of(cell->node, cell->step);

    if (!table->slots)
        return 0;
    for (;; at++) {
        const struct cells_slot *slot = &table->slot[at & (table->slots - 1)];

        if (!slot->index || (slot->node == cell->node && slot->step == cell->step))
            return slot->index;
    }
}

/* Put a cell that has no slot yet into a slot. */
static void
fill_slot(struct cells_table *table, u32 node, u32 step, u32 index)
{
    u32 at = hash_of(node, step) & (table->slots - 1);

    while (table->slot[at].index)
        at = (at + 1) & (table->slots - 1);
    table->slot[at] = (struct cells_slot){ node, step, index };
}

/*
 * Double the slots. They are moved in their old order, so that the new memory is
 * written sequentially.
 */
static int
double_slots(struct cells_table *table)
{
    struct cells_slot *old = table->slot;
    u32 count = table->slots, slots = count ? count * 2 : SLOTS_MIN;
    struct cells_slot *slot = calloc(slots, sizeof(*slot));

    if (!slot)
        return -ENOMEM;
    table->slot = slot;
    table->slots = slots;
    for (u32 i = 0; i < count; i++)
        if (old[i].index)
            fill_slot(table, old[i].node, old[i].step, old[i].index);
    free(old);
    return 0;
}

/* Give a slot to a cell that has none. 0 or -ENOMEM. */
static int
add_slot(struct cellset *set, u32 index)
{
    const struct cells_key *cell = &set->cell[index];
    struct cells_table *table = table_of(set, cell);

    if (!table ||
        (table->used + 1 > table->slots / 2 && double_slots(table) < 0))
        return -ENOMEM;
    fill_slot(table, cell->node, cell->step, index + 1);
    table->used++;
    return 0;
}

static u32
digit(const struct item *item, u32 pass)
{
    u64 key = pass ? item->pair >> (pass - 1) * DIGIT_BITS : item->step;

    return (u32)key & (DIGITS - 1);
}

/*
 * One pass of a radix sort, by digit number `pass`; items with equal digits keep their
 * order. The sorted items are in *items afterwards; *other is the other array.
 */
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

static bool
is_before(const struct item *a, const struct item *b)
{
    return a->pair < b->pair || (a->pair == b->pair && a->step < b->step);
}

/*
 * All cells, sorted by thread, node and step; the caller frees them. NULL: no memory.
 */
static struct item *
sorted(const struct cellset *set)
{
    struct item *items = malloc(((size_t)set->count + 1) * sizeof(*items));
    struct item *other = malloc(((size_t)set->count + 1) * sizeof(*other));
    bool is_sorted = true;

    for (u32 i = 0; items && other && i < set->count; i++) {
        const struct cells_key *cell = &set->cell[i];

        items[i] = (struct item){ (u64)cell->thread << 32 | cell->node, cell->step, i };
        is_sorted &= !i || !is_before(&items[i], &items[i - 1]);
    }
    for (u32 pass = 0; items && other && pass < PASSES && !is_sorted; pass++)
        sort_digit(&items, &other, set->count, pass);
    if (!other) {
        free(items);
        items = NULL;
    }
    free(other);
    return items;
}

/*
 * Get the number of bits by which the numbers of steps must be shifted, so that at most
 * `most` of the sorted cells remain distinct. If that is impossible, get the shift that
 * puts all times into one step.
 */
static u32
least_shift(const struct cellset *set, const struct item *items, u32 most)
{
    u32 more[COARSEST + 1] = { 0 }; /* by shift: cells that it is the first to merge */
    u32 count = set->count, by = 0;

    for (u32 i = 1; i < set->count; i++) {
        const struct item *a = &items[i - 1], *b = &items[i];
        u32 bits = a->step == b->step ? 0 : 32 - (u32)__builtin_clz(a->step ^ b->step);
        bool timeless = a->step == CELLS_TIMELESS || b->step == CELLS_TIMELESS;

        if (a->pair == b->pair && (!bits || !timeless) && bits <= COARSEST)
            more[bits]++;
    }
    count -= more[0];
    while (count > most && set->shift + by < COARSEST)
        count -= more[++by];
    return by;
}

static u32
longer(u32 step, u32 by)
{
    return step == CELLS_TIMELESS ? step : step >> by;
}

/*
 * Put cells in the order of the items, make steps longer by `by` bits, and merge cells
 * that thereby become equal.
 */
static int
combine(struct cellset *set, const struct item *items, u32 by)
{
    struct cells_key *cell = malloc(((size_t)set->count + 1) * sizeof(*cell));
    struct grid value = { 0 };
    u32 count = 0;

    if (!cell || grid_open_like(&value, &set->value, set->count) < 0) {
        free(cell);
        return -ENOMEM;
    }
    for (u32 i = 0; i < set->count; i++) {
        struct cells_key key = set->cell[items[i].index];

        key.step = longer(key.step, by);
        if (!count || !same_cell(&cell[count - 1], &key))
            cell[count++] = key;
        grid_add_row(&value, count - 1, &set->value, items[i].index);
    }
    free(set->cell);
    grid_close(&set->value);
    set->cell = cell;
    set->room = set->count + 1;
    set->value = value;
    set->count = count;
    set->shift += by;
    return 0;
}

/*
 * Prefetch the cells of `times` to which those of `set` from index `from` on, AHEAD at
 * most, will be added.
 */
static void
expect_times(const struct cellset *times, const struct cellset *set, u32 from)
{
    u32 count = set->count - from < AHEAD ? set->count - from : AHEAD;
    const struct cells_slot *slot[AHEAD];

    for (u32 i = 0; i < count; i++) {
        struct cells_key cell = set->cell[from + i];

        cell.thread = 0;
        if (cell.step != CELLS_TIMELESS)
            cell.step <<= set->shift;
        slot[i] = cellsort_expect(times, cell);
    }
    for (u32 i = 0; i < count; i++)
        cellsort_expect_row(times, slot[i]);
}

/* Add all cells of a set to a set in which all threads count as one. */
static int
feed_times(struct cellset *times, const struct cellset *set)
{
    if (grid_want_all(&times->value, &set->value) < 0)
        return -ENOMEM;
    for (u32 i = 0; i < set->count; i++) {
        u32 at;

        if (i % AHEAD == 0)
            expect_times(times, set, i);
        at = cellsort_at_time(times, set->cell[i], set->shift);
        if (at == CELL_NONE)
            return -ENOMEM;
        grid_add_other(&times->value, at, &set->value, i);
    }
    return 0;
}

/*
 * Sort cells by thread, node and step, merge equal ones, and make steps longer until at
 * most `most` cells are left. Tables are not valid any more. 0 or -ENOMEM.
 */
static int
settle(struct cellset *set, u32 most)
{
    struct item *items = sorted(set);
    u32 by = 0;
    int ret = 0;

    if (!items)
        return -ENOMEM;
    if (set->shift < set->least)
        by = set->least - set->shift;
    if (by < least_shift(set, items, most))
        by = least_shift(set, items, most);
    if (set->times && !set->shift && by)
        ret = feed_times(set->times, set); /* done before steps become longer */
    if (ret == 0)
        ret = combine(set, items, by);
    free(items);
    return ret;
}

static u32
add_cell(struct cellset *set, const struct cells_key *cell)
{
    u32 rows = set->count + set->count / 2 + 1024;

    if (array_room(&set->cell, &set->room, set->count + 1, sizeof(*cell)) < 0 ||
        (set->count >= set->value.rows && grid_extend(&set->value, rows) < 0))
        return CELL_NONE;
    set->cell[set->count] = *cell;
    return set->count++;
}

/* Fill the tables again, after all cells got new indices. */
static int
refill(struct cellset *set)
{
    int ret = 0;

    close_tables(set);
    for (u32 i = 0; i < set->count && ret == 0; i++)
        ret = add_slot(set, i);
    return ret;
}

/*
 * Make steps longer until an eighth of the budget is free. If no length achieves that,
 * as when all stacks differ, choose the longest, which would soon be needed anyway.
 */
static int
coarsen(struct cellset *set)
{
    int ret = settle(set, set->budget - set->budget / 8);

    return ret < 0 ? ret : refill(set);
}

int
cellsort_coarsen(struct cellset *set, u32 shift)
{
    int ret;

    if (set->shift >= shift)
        return 0;
    set->least = set->least < shift ? shift : set->least;
    ret = settle(set, UINT32_MAX);
    return ret < 0 ? ret : refill(set);
}

bool
cellsort_is_coarsest(const struct cellset *set)
{
    return set->shift >= COARSEST;
}

u32
cellsort_at(struct cellset *set, struct cells_key cell)
{
    u32 step = cell.step, at;

    for (;;) {
        struct cells_table *table;

        cell.step = longer(step, set->shift);
        table = table_of(set, &cell);
        if (!table)
            return CELL_NONE;
        at = find(table, &cell);
        if (at)
            return at - 1;
        if (set->count < set->budget || set->shift >= COARSEST)
            break;
        if (coarsen(set) < 0)
            return CELL_NONE;
    }
    at = add_cell(set, &cell);
    return at == CELL_NONE || add_slot(set, at) < 0 ? CELL_NONE : at;
}

u32
cellsort_at_time(struct cellset *times, struct cells_key cell, u32 shift)
{
    cell.thread = 0;
    if (cell.step != CELLS_TIMELESS)
        cell.step <<= shift;
    return cellsort_at(times, cell);
}

const struct cells_slot *
cellsort_expect(const struct cellset *set, struct cells_key cell)
{
    const struct cells_table *table;
    const struct cells_slot *slot;
    u32 number;

    cell.step = longer(cell.step, set->shift);
    number = table_number(set, &cell);
    if (number >= set->tables || !set->table[number].slots)
        return NULL;
    table = &set->table[number];
    slot = &table->slot[hash_of(cell.node, cell.step) & (table->slots - 1)];
    ER_PREFETCH(slot);
    return slot;
}

void
cellsort_expect_row(const struct cellset *set, const struct cells_slot *slot)
{
    if (slot && slot->index)
        ER_PREFETCH(grid_row(&set->value, slot->index - 1));
}

u32
cellsort_append(struct cellset *set, struct cells_key cell)
{
    if (set->count >= SETTLE_MIN && set->count / 4 >= set->settled) {
        if (settle(set, set->budget) < 0)
            return CELL_NONE;
        set->settled = set->count;
    }
    cell.step = longer(cell.step, set->shift);
    return add_cell(set, &cell);
}

/* Empty a set and keep its memory. */
static void
empty(struct cellset *set)
{
    for (u32 i = 0; i < set->tables; i++) {
        struct cells_table *table = &set->table[i];

        /* A table that is much too large would take long to clear again and again. */
        if (table->used < table->slots / TOO_LARGE) {
            free(table->slot);
            *table = (struct cells_table){ 0 };
        } else if (table->used) {
            memset(table->slot, 0, table->slots * sizeof(*table->slot));
            table->used = 0;
        }
    }
    if (set->count)
        memset(set->value.cell, 0,
               (size_t)set->count * set->value.width * sizeof(*set->value.cell));
    set->count = 0;
}

/*
 * Append the sorted cells of `more`, whose steps become those of `set`, which are not
 * shorter.
 */
static int
append_sorted(struct cellset *set, const struct cellset *more)
{
    u32 begin = set->count, by = set->shift - more->shift;

    if (grid_want_all(&set->value, &more->value) < 0)
        return -ENOMEM;
    for (u32 i = 0; i < more->count; i++) {
        struct cells_key cell = more->cell[i];

        cell.step = longer(cell.step, by);
        if ((set->count == begin || !same_cell(&set->cell[set->count - 1], &cell)) &&
            add_cell(set, &cell) == CELL_NONE)
            return -ENOMEM;
        grid_add_other(&set->value, set->count - 1, &more->value, i);
    }
    return 0;
}

int
cellsort_merge(struct cellset *set, struct cellset *thread)
{
    int ret = settle(thread, UINT32_MAX);

    if (ret == 0 && set->shift)
        ret = feed_times(set->times, thread);
    if (ret == 0)
        ret = append_sorted(set, thread);
    if (ret == 0 && set->count > set->budget && set->shift < COARSEST)
        ret = settle(set, set->budget - set->budget / 8);
    empty(thread);
    thread->shift = set->shift < set->times->shift ? set->shift : set->times->shift;
    return ret;
}

static bool
is_by_step(const struct cellset *set)
{
    for (u32 i = 1; i < set->count; i++)
        if (set->cell[i].step < set->cell[i - 1].step)
            return false;
    return true;
}

int
cellsort_sort(struct cellset *set)
{
    struct item *items, *other;
    int ret = settle(set, set->budget);

    if (ret < 0 || is_by_step(set))
        return ret;
    items = malloc(((size_t)set->count + 1) * sizeof(*items));
    other = malloc(((size_t)set->count + 1) * sizeof(*other));
    for (u32 i = 0; items && i < set->count; i++)
        items[i] = (struct item){ 0, set->cell[i].step, i };
    if (items && other) {
        sort_digit(&items, &other, set->count, 0);
        ret = combine(set, items, 0);
    } else {
        ret = -ENOMEM;
    }
    free(items);
    free(other);
    return ret;
}
