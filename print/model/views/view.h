/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of metrics: by function, line, pc, load object, thread, interval; and who
 * calls whom. Values are sums over the session's experiments.
 *
 * Exclusive: the sum over the stacks with the row's function, line, ... at the leaf.
 * Inclusive: the sum over the stacks that contain it; each stack counts once, even if
 * the function recurs in it. A stack node stands for its function and those inlined
 * there.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_VIEW_H
#define ERTOOLS_PRINT_MODEL_VIEWS_VIEW_H

#include <stdbool.h>

#include "print/model/symbols/function.h"
#include "print/model/session.h"
#include "print/model/views/row.h"

/*
 * All rows with a value other than 0, sorted. view_functions() and the functions like
 * it return 0 and *out for rows_free(), or -errno.
 */
struct rows {
    struct row *row;
    u32 count;
    struct row total; /* <Total>; not among the rows */
};

void rows_free(struct rows *rows);

int view_functions(struct session *session, const struct order *order,
                   struct rows *out);

/*
 * Rows are (function, file, line). Lines of inlined functions have rows of their own.
 */
int view_lines(struct session *session, const struct order *order, struct rows *out);

/*
 * Rows of instructions. The time in a call counts at the call instruction. row.func is
 * the outermost function there: the one into which others are inlined.
 */
int view_pcs(struct session *session, const struct order *order, struct rows *out);

int view_objects(struct session *session, const struct order *order, struct rows *out);

/*
 * Rows of the threads of all experiments; excl = incl. ORDER_NAME sorts by experiment
 * and id.
 */
int view_threads(struct session *session, const struct order *order, struct rows *out);

/*
 * What was recorded between each sample point and the one before it (or the start), in
 * the order of time; excl = incl. Rows with value 0 are included. Residuals are not.
 */
int view_intervals(struct session *session, struct rows *out);

/*
 * What calls a fragment of stacks (fragment[0] calls fragment[1] ...; usually one
 * function), and what it calls. A caller's row has as attributed value what the caller
 * spends in the fragment; a callee's row, what the fragment spends in the callee. If
 * the fragment recurs on a stack, its outermost occurrence has the caller, and its
 * innermost one the callee. Therefore
 *   sum of callers = inclusive(fragment) = exclusive(fragment) + sum of callees.
 * <Total> calls the functions without a caller, and has no caller itself. Rows also
 * have each function's own exclusive and inclusive values. 0 and *out for
 * around_free(), or -errno.
 */
struct around {
    struct rows callers;
    struct row self; /* attr = excl = of stacks that end with the fragment; incl = of
                        stacks that contain it */
    struct rows callees;
};

int view_around(struct session *session, const u32 *fragment, u32 length,
                const struct order *order, struct around *out);
void around_free(struct around *around);

/*
 * Like view_around() for many fragments, one after the other: work that does not depend
 * on the fragment is done once. 0 and *out for arounds_close(), or -errno; until it is
 * closed, the session must not change.
 */
struct arounds;
int arounds_open(struct session *session, struct arounds **out);
int arounds_get(struct arounds *all, const u32 *fragment, u32 length,
                const struct order *order, struct around *out);
void arounds_close(struct arounds *all);

/* Get the sums over everything that passes the filter. 0 or -errno. */
int view_total(struct session *session, struct values *out);

#endif
