/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How metric values are computed from records of one kind: metrics.def, bound to an
 * experiment's own schema. Any thread. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_PASS_PLAN_H
#define ERTOOLS_PRINT_MODEL_PASS_PLAN_H

#include <stdbool.h>

#include "print/load/counters.h"
#include "print/load/record/schema.h"
#include "print/model/filter/cuts.h"
#include "print/model/grid.h"
#include "print/model/metric.h"

enum {
    PLAN_TERMS_MAX = 32,
};

struct plan_term {
    u32 metric; /* enum metric */
    int value;  /* index of the field to add; -1 = the constant 1 */
    int select; /* index of a field that must be `equals`; -1 = take every record */
    u64 equals;
    int unless; /* index of a field that must be 0; -1 = none */
    bool if_not_0; /* the field `unless` must not be 0 instead */
    bool ticks; /* the value is a time in units of record times */
    bool lasts; /* the value is the duration of the event */
};

struct plan {
    struct plan_term term[PLAN_TERMS_MAX];
    u32 nterms; /* 0: no metric needs such records */
    /* Indices of fields; -1 = the record has no such field. */
    int time;
    int node;
    int kind;
    int took;   /* the event's duration, in units of record times */
    int weight; /* the event's duration, in ns */
    bool hit;   /* it is a clock hit, which stands for time before it */
};

/* Make the plan for a kind of record. counters: those of the record's experiment. */
void plan_make(struct plan *plan, const struct schema_record *record,
               const struct counters *counters);

/*
 * Set factor[METRIC_COUNT]: by what the sums of each metric must be multiplied; 0 = by
 * nothing. That converts times from units of record times, of `rate` ns each, to ns,
 * and scales up multiplexed counters, which have counted only a part of the time.
 * plan[] is by record kind; counters_totals() must have been called. False: no metric
 * needs a factor.
 */
bool plan_factors(const struct plan plan[SCHEMA_KINDS], const struct counters *counters,
                  double rate, double *factor);
void plan_scale(struct values *values, u32 count, const double *factor);

static inline bool
plan_term_matches(const struct plan_term *term, const u64 *row)
{
    if (term->unless >= 0 && (row[term->unless] != 0) != term->if_not_0)
        return false;
    if (term->select < 0)
        return true;
    return row[term->select] == term->equals;
}

/*
 * The duration of a row's event, in units of record times, which are `rate` ns each; 0
 * if it has none.
 */
u64 plan_lasted(const struct plan *plan, const u64 *row, double rate);

/* The value of a term in a row or, if there is a piece, the piece's share of it. */
static inline u64
plan_value(const struct plan_term *term, const u64 *row, const struct piece *piece)
{
    u64 value = term->value < 0 ? 1 : row[term->value];

    if (!piece)
        return value;
    if (term->lasts)
        return cuts_piece_share(piece, value);
    return piece->ends ? value : 0;
}

static inline void
plan_add_piece(const struct plan *plan, const u64 *row, const struct piece *piece,
               struct values *to)
{
    for (u32 i = 0; i < plan->nterms; i++) {
        const struct plan_term *term = &plan->term[i];

        if (plan_term_matches(term, row))
            to->v[term->metric] = (int64_t)((u64)to->v[term->metric] +
                                            plan_value(term, row, piece));
    }
}

static inline void
plan_add(const struct plan *plan, const u64 *row, struct values *to)
{
    plan_add_piece(plan, row, NULL, to);
}

/*
 * Add a row, or a piece of its event, to row `at` of a grid. A metric gets a column
 * only when its first value is added: grids may have millions of rows, which must be
 * short. 0 or -ENOMEM.
 */
static inline int
plan_add_row(const struct plan *plan, const u64 *row, const struct piece *piece,
             struct grid *grid, u32 at)
{
    for (u32 i = 0; i < plan->nterms; i++) {
        const struct plan_term *term = &plan->term[i];
        u64 value;
        int64_t *cell;

        if (!plan_term_matches(term, row))
            continue;
        value = plan_value(term, row, piece);
        if (ER_UNLIKELY(grid->column[term->metric] == GRID_NONE) &&
            (!value || grid_want(grid, (enum metric)term->metric) < 0)) {
            if (value)
                return -ENOMEM;
            continue;
        }
        cell = grid_row(grid, at) + grid->column[term->metric];
        *cell = (int64_t)((u64)*cell + value);
    }
    return 0;
}

#endif
