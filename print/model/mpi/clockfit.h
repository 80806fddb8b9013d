/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far one host's clock is ahead of another's, computed from messages in both
 * directions: none arrives before it was sent. Each message bounds the offset at its
 * moment, from above or from below; the offset is a line between these bounds, or
 * several connected lines if the drift changes. Memory does not grow with the number of
 * messages. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_CLOCKFIT_H
#define ERTOOLS_PRINT_MODEL_MPI_CLOCKFIT_H

#include <stdbool.h>

#include "share/types.h"

enum {
    CLOCKFIT_SLOTS = 1024, /* equal parts of the run; each keeps its tightest bounds */
};

/* A bound of the offset at the moment `at`; both in ns. */
struct clock_bound {
    double at;
    double offset;
    bool known;
};

/* offset(t) = offset + slope * (t - from), up to the next piece's `from`. */
struct clock_piece {
    double from;
    double offset;
    double slope;
};

struct clockfit {
    double from, to; /* begin and end of the run, ns */
    double first, last; /* first and last moment at which the offset is needed */
    struct clock_bound above[CLOCKFIT_SLOTS];
    struct clock_bound below[CLOCKFIT_SLOTS];
    struct clock_piece piece[CLOCKFIT_SLOTS];
    u32 end[CLOCKFIT_SLOTS]; /* by piece: the slot after its last one */
    u32 pieces;              /* number of pieces, 0 = the offset is not known */
    double error; /* ns: by how much the offset may be wrong from `first` to `last` */
};

/*
 * Begin a fit for moments between `from` and `to`, ns. An earlier moment counts as
 * `from`, a later one as `to`.
 */
void clockfit_open(struct clockfit *fit, double from, double to);

/* Add a bound from a message: at the moment `at`, the offset was at most / at least. */
void clockfit_above(struct clockfit *fit, double at, double offset);
void clockfit_below(struct clockfit *fit, double at, double offset);

/*
 * Declare that the offset at the moment `at` will be needed: fit->error then covers
 * that moment.
 */
void clockfit_covers(struct clockfit *fit, double at);

/* Find the offset. False if no messages went both ways: the offset is then 0. */
bool clockfit_solve(struct clockfit *fit);

/* The offset at a moment, ns. */
double clockfit_at(const struct clockfit *fit, double at);

#endif
