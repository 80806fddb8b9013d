/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/clock.h"

void
grid_open(struct grid *grid)
{
    memset(grid, 0, sizeof(*grid));
    memset(grid->column, GRID_NONE, sizeof(grid->column));
}

void
grid_close(struct grid *grid)
{
    free(grid->cell);
    grid_open(grid);
}

/*
 * Make room for `rows` rows and `width` columns; old cells keep their values, new ones
 * are 0.
 */
static int
resize(struct grid *grid, u32 rows, u32 width)
{
    size_t bytes = (width ? width : 1) * sizeof(int64_t);
    int64_t *cell = calloc((size_t)rows + 1, bytes);

    if (!cell)
        return -ENOMEM;
    for (u32 i = 0; i < grid->rows; i++)
        if (grid_any(grid, i))
            memcpy(cell + (size_t)i * width, grid_row(grid, i),
                   grid->width * sizeof(*cell));
    free(grid->cell);
    grid->cell = cell;
    grid->rows = rows;
    grid->width = width;
    return 0;
}

int
grid_want(struct grid *grid, enum metric metric)
{
    u32 column = grid->width;

    if (grid->column[metric] != GRID_NONE)
        return 0;
    if (resize(grid, grid->rows, column + 1) < 0)
        return -ENOMEM;
    grid->metric[column] = (unsigned char)metric;
    grid->column[metric] = (unsigned char)column;
    return 0;
}

int
grid_want_all(struct grid *grid, const struct grid *other)
{
    int ret = 0;

    for (u32 i = 0; i < other->width && ret == 0; i++)
        ret = grid_want(grid, (enum metric)other->metric[i]);
    return ret;
}

int
grid_grow(struct grid *grid, u32 rows)
{
    return rows <= grid->rows ? 0 : resize(grid, rows, grid->width);
}

int
grid_extend(struct grid *grid, u32 rows)
{
    size_t bytes = (grid->width ? grid->width : 1) * sizeof(int64_t);
    int64_t *cell;

    if (rows <= grid->rows)
        return 0;
    cell = realloc(grid->cell, ((size_t)rows + 1) * bytes);
    if (!cell)
        return -ENOMEM;
    memset((char *)cell + grid->rows * bytes, 0, (rows - grid->rows + 1) * bytes);
    grid->cell = cell;
    grid->rows = rows;
    return 0;
}

int
grid_open_like(struct grid *grid, const struct grid *like, u32 rows)
{
    *grid = *like;
    grid->cell = NULL;
    grid->rows = 0;
    return resize(grid, rows, like->width);
}

int
grid_add(struct grid *grid, u32 row, const struct values *more)
{
    for (u32 m = 0; m < METRIC_COUNT; m++) {
        int64_t *cell;

        if (!more->v[m])
            continue;
        if (grid_want(grid, (enum metric)m) < 0)
            return -ENOMEM;
        cell = grid_row(grid, row) + grid->column[m];
        *cell = (int64_t)((u64)*cell + (u64)more->v[m]);
    }
    return 0;
}

void
grid_scale(struct grid *grid, const double *factor)
{
    for (u32 i = 0; i < grid->rows; i++)
        for (u32 c = 0; c < grid->width; c++) {
            int64_t *cell = grid_row(grid, i) + c;

            if (*cell && factor[grid->metric[c]] > 0)
                *cell = (int64_t)clock_scaled((u64)*cell, factor[grid->metric[c]]);
        }
}
