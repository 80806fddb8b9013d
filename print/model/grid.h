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
    int64_t *cell; /* row by row; a page that nobody wrote costs nothing */
    u32 rows;
    u32 width;
    unsigned char metric[METRIC_COUNT]; /* of a column */
    unsigned char column[METRIC_COUNT]; /* of a metric, GRID_NONE = it has none */
};

/* No rows, no columns. Any grid may be closed, also one that is all zero. */
void grid_open(struct grid *grid);
void grid_close(struct grid *grid);

/*
 * grid_want(): give the metric a column. grid_grow(): make the grid at least `rows`
 * rows long; new rows are zero. 0 or -ENOMEM.
 */
int grid_want(struct grid *grid, enum metric metric);
int grid_grow(struct grid *grid, u32 rows);

/* Give each metric of another grid a column. 0 or -ENOMEM. */
int grid_want_all(struct grid *grid, const struct grid *other);

/*
 * grid_grow() for a grid all of whose rows will be written: realloc() extends it, and
 * the old rows are not copied to fresh pages.
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

/* *to += row. */
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

/* row += *more. Metrics without a column get one. 0 or -ENOMEM. */
int grid_add(struct grid *grid, u32 row, const struct values *more);

/* Multiply the values of each metric by its factor; see plan_factors(). */
void grid_scale(struct grid *grid, const double *factor);

/* Row `to` += row `from` of another grid that has the same columns. */
static inline void
grid_add_row(struct grid *grid, u32 to, const struct grid *other, u32 from)
{
    int64_t *cell = grid_row(grid, to);
    const int64_t *more = grid_row(other, from);

    for (u32 i = 0; i < grid->width; i++)
        cell[i] = (int64_t)((u64)cell[i] + (u64)more[i]);
}

/* The same for a grid with columns in another order; call grid_want_all() first. */
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
