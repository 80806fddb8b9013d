/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sheet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/clock.h"

void
sheet_open(struct sheet *sheet)
{
    memset(sheet, 0, sizeof(*sheet));
    memset(sheet->column, SHEET_NONE, sizeof(sheet->column));
}

void
sheet_close(struct sheet *sheet)
{
    free(sheet->cell);
    sheet_open(sheet);
}

/* Fresh cells for so many rows and columns; old ones keep their values. */
static int
resize(struct sheet *sheet, u32 rows, u32 width)
{
    size_t bytes = (width ? width : 1) * sizeof(int64_t);
    int64_t *cell = calloc((size_t)rows + 1, bytes);

    if (!cell)
        return -ENOMEM;
    for (u32 i = 0; i < sheet->rows; i++)
        if (sheet_any(sheet, i))
            memcpy(cell + (size_t)i * width, sheet_row(sheet, i),
                   sheet->width * sizeof(*cell));
    free(sheet->cell);
    sheet->cell = cell;
    sheet->rows = rows;
    sheet->width = width;
    return 0;
}

int
sheet_want(struct sheet *sheet, enum metric metric)
{
    u32 column = sheet->width;

    if (sheet->column[metric] != SHEET_NONE)
        return 0;
    if (resize(sheet, sheet->rows, column + 1) < 0)
        return -ENOMEM;
    sheet->metric[column] = (unsigned char)metric;
    sheet->column[metric] = (unsigned char)column;
    return 0;
}

int
sheet_grow(struct sheet *sheet, u32 rows)
{
    return rows <= sheet->rows ? 0 : resize(sheet, rows, sheet->width);
}

int
sheet_open_like(struct sheet *sheet, const struct sheet *like, u32 rows)
{
    *sheet = *like;
    sheet->cell = NULL;
    sheet->rows = 0;
    return resize(sheet, rows, like->width);
}

int
sheet_add(struct sheet *sheet, u32 row, const struct values *more)
{
    for (u32 m = 0; m < METRIC_COUNT; m++) {
        int64_t *cell;

        if (!more->v[m])
            continue;
        if (sheet_want(sheet, (enum metric)m) < 0)
            return -ENOMEM;
        cell = sheet_row(sheet, row) + sheet->column[m];
        *cell = (int64_t)((u64)*cell + (u64)more->v[m]);
    }
    return 0;
}

void
sheet_scale(struct sheet *sheet, const double *factor)
{
    for (u32 i = 0; i < sheet->rows; i++)
        for (u32 c = 0; c < sheet->width; c++) {
            int64_t *cell = sheet_row(sheet, i) + c;

            if (*cell && factor[sheet->metric[c]] > 0)
                *cell = (int64_t)clock_scaled((u64)*cell, factor[sheet->metric[c]]);
        }
}
