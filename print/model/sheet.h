/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values by row number, kept only of those metrics that some row has: there are many
 * metrics and millions of stack nodes. For the model's own use; one thread a sheet.
 */
#ifndef ERTOOLS_PRINT_MODEL_SHEET_H
#define ERTOOLS_PRINT_MODEL_SHEET_H

#include <stdbool.h>

#include "print/model/metric.h"

enum {
    SHEET_NONE = 0xff,
};

_Static_assert((int)METRIC_COUNT < (int)SHEET_NONE, "columns are bytes");

struct sheet {
    int64_t *cell; /* row by row; a page that nobody wrote costs nothing */
    u32 rows;
    u32 width;
    unsigned char metric[METRIC_COUNT]; /* of a column */
    unsigned char column[METRIC_COUNT]; /* of a metric, SHEET_NONE = it has none */
};

/* No rows, no columns. Any sheet may be closed, also one that is all zero. */
void sheet_open(struct sheet *sheet);
void sheet_close(struct sheet *sheet);

/* Room for the metric, and for so many rows in all, new ones zero. 0 or -ENOMEM. */
int sheet_want(struct sheet *sheet, enum metric metric);
int sheet_grow(struct sheet *sheet, u32 rows);

/* Columns as `like` has, and so many rows, all zero. 0 or -ENOMEM. */
int sheet_open_like(struct sheet *sheet, const struct sheet *like, u32 rows);

static inline int64_t *
sheet_row(const struct sheet *sheet, u32 row)
{
    return sheet->cell + (size_t)row * sheet->width;
}

static inline bool
sheet_any(const struct sheet *sheet, u32 row)
{
    const int64_t *cell = sheet_row(sheet, row);

    for (u32 i = 0; i < sheet->width; i++)
        if (cell[i])
            return true;
    return false;
}

/* *to += row. */
static inline void
sheet_add_to(const struct sheet *sheet, u32 row, struct values *to)
{
    const int64_t *cell = sheet_row(sheet, row);

    for (u32 i = 0; i < sheet->width; i++) {
        int64_t *v = &to->v[sheet->metric[i]];

        *v = (int64_t)((u64)*v + (u64)cell[i]);
    }
}

static inline int64_t
sheet_value(const struct sheet *sheet, u32 row, enum metric metric)
{
    unsigned char column = sheet->column[metric];

    return column == SHEET_NONE ? 0 : sheet_row(sheet, row)[column];
}

static inline struct values
sheet_get(const struct sheet *sheet, u32 row)
{
    struct values values = { { 0 } };

    sheet_add_to(sheet, row, &values);
    return values;
}

/* row += *more, with new columns where it takes some. 0 or -ENOMEM. */
int sheet_add(struct sheet *sheet, u32 row, const struct values *more);

/* Multiply all rows, by metric: plan_factors(). */
void sheet_scale(struct sheet *sheet, const double *factor);

/* Row `to` += row `from` of another sheet that has the same columns. */
static inline void
sheet_add_row(struct sheet *sheet, u32 to, const struct sheet *other, u32 from)
{
    int64_t *cell = sheet_row(sheet, to);
    const int64_t *more = sheet_row(other, from);

    for (u32 i = 0; i < sheet->width; i++)
        cell[i] = (int64_t)((u64)cell[i] + (u64)more[i]);
}

#endif
