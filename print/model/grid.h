/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values by row number. Only metrics that some row has get a column, since there are
 * many metrics and millions of stack nodes. For the model's own use; one thread per
 * grid.
 */
#ifndef ERTOOLS_PRINT_MODEL_GRID_H
#define ERTOOLS_PRINT_MODEL_GRID_H

#include <stdbool.h>

#include "print/model/metric.h"

enum {
    GRID_NONE = 0xff,
};

_Static_assert((int)METRIC_COUNT < (int)GRID_NONE, "columns are bytes");

struct grid {
    int64_t *cell; /* row by row; a page that was never written takes no memory */
    u32 rows;
    u32 width; /* columns */
    unsigned char metric[METRIC_COUNT]; /* by column: its metric */
    unsigned char column[METRIC_COUNT]; /* by metric: its column; GRID_NONE = none */
};

/*
 * grid_open(): set up a grid without rows and columns. grid_close() may be called for
 * any grid, also one that is all 0.
 */
void grid_open(struct grid *grid);
void grid_close(struct grid *grid);

/*
 * grid_want(): add a column for the metric, unless it has one. grid_grow(): make the
 * grid at least `rows` rows long; new rows are zero. Both return 0 or -ENOMEM.
 */
int grid_want(struct grid *grid, enum metric metric);
int grid_grow(struct grid *grid, u32 rows);

/* grid_want() for each metric that has a column in another grid. 0 or -ENOMEM. */
int grid_want_all(struct grid *grid, const struct grid *other);

/*
 * Like grid_grow(), for a grid all of whose rows will be written: it uses realloc(),
 * which need not copy the old rows.
 */
int grid_extend(struct grid *grid, u32 rows);

/*
 * Open a grid with the same columns as `like` and `rows` rows, all zero. 0 or -ENOMEM.
 */
int grid_open_like(struct grid *grid, const struct grid *like, u32 rows);

static inline int64_t *
grid_row(const struct grid *grid, u32 row)
{
    return grid->cell + (size_t)row * grid->width;
}

static inline bool
grid_any(const struct grid *grid, u32 row)
{
    const int64_t *cell = grid_row(grid, row);

    for (u32 i = 0; i < grid->width; i++)
        if (cell[i])
            return true;
    return false;
}

/* Add the values of a row to *to. */
static inline void
grid_add_to(const struct grid *grid, u32 row, struct values *to)
{
    const int64_t *cell = grid_row(grid, row);

    for (u32 i = 0; i < grid->width; i++) {
        int64_t *v = &to->v[grid->metric[i]];

        *v = (int64_t)((u64)*v + (u64)cell[i]);
    }
}

static inline int64_t
grid_value(const struct grid *grid, u32 row, enum metric metric)
{
    unsigned char column = grid->column[metric];

    return column == GRID_NONE ? 0 : grid_row(grid, row)[column];
}

static inline struct values
grid_get(const struct grid *grid, u32 row)
{
    struct values values = { { 0 } };

    grid_add_to(grid, row, &values);
    return values;
}

/*
 * Add *more to a row. A metric without a column gets one if its value is not 0. 0 or
 * -ENOMEM.
 */
int grid_add(struct grid *grid, u32 row, const struct values *more);

/*
 * Multiply the values of each metric by its factor, unless that is 0: plan_factors().
 */
void grid_scale(struct grid *grid, const double *factor);

/* Add row `from` of another grid that has the same columns to row `to`. */
static inline void
grid_add_row(struct grid *grid, u32 to, const struct grid *other, u32 from)
{
    int64_t *cell = grid_row(grid, to);
    const int64_t *more = grid_row(other, from);

    for (u32 i = 0; i < grid->width; i++)
        cell[i] = (int64_t)((u64)cell[i] + (u64)more[i]);
}

/*
 * The same if columns are in another order. The grid must have all of other's columns.
 */
static inline void
grid_add_other(struct grid *grid, u32 to, const struct grid *other, u32 from)
{
    int64_t *cell = grid_row(grid, to);
    const int64_t *more = grid_row(other, from);

    for (u32 i = 0; i < other->width; i++) {
        int64_t *v = &cell[grid->column[other->metric[i]]];

        *v = (int64_t)((u64)*v + (u64)more[i]);
    }
}

#endif
