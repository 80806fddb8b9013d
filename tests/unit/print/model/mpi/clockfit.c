/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/clockfit.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define RUN 10e9 /* ns */

static struct clockfit fit;
static u64 seed = 88172645463325252;

static double
chance(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* A message at a random moment that took `least` ns and mostly longer. */
static void
message(double (*truth)(double), double from, double to, double least, bool there)
{
    double at = from + (to - from) * chance();
    double took = least - 100e3 * log(1 - chance());

    if (there)
        clockfit_above(&fit, at, truth(at) + took);
    else
        clockfit_below(&fit, at, truth(at) - took);
}

static void
messages(double (*truth)(double), u32 count, double least)
{
    for (u32 i = 0; i < count; i++)
        message(truth, 0, RUN, least, i % 2);
}

/* The farthest that the answer is from the truth. */
static double
worst(double (*truth)(double))
{
    double most = 0;

    for (double at = 0; at <= RUN; at += RUN / 1000)
        most = fmax(most, fabs(clockfit_at(&fit, at) - truth(at)));
    return most;
}

static double
steady(double at)
{
    (void)at;
    return -3.25e9;
}

static double
drifting(double at)
{
    return 4e6 + 50e-6 * at;
}

/* 30 us/s, and from 6 s on -20. */
static double
changing(double at)
{
    return at < 6e9 ? 30e-6 * at : 30e-6 * 6e9 - 20e-6 * (at - 6e9);
}

/* As of a clock that warms up. */
static double
bent(double at)
{
    return 200e3 * sin(at / 3e9);
}

/* All of the run will be asked for. */
static void
open_whole(void)
{
    clockfit_open(&fit, 0, RUN);
    clockfit_covers(&fit, 0);
    clockfit_covers(&fit, RUN);
}

static void
check(double (*truth)(double), u32 count, double least, double allowed)
{
    open_whole();
    messages(truth, count, least);
    cr_assert(clockfit_solve(&fit));
    cr_assert(worst(truth) <= allowed, "%g", worst(truth));
    cr_assert(worst(truth) <= fit.error * 1.01 + 1, "%g, told %g", worst(truth),
              fit.error);
}

Test(clockfit, a_shift)
{
    check(steady, 10000, 10e3, 15e3);
}

Test(clockfit, a_drift)
{
    check(drifting, 10000, 10e3, 15e3);
}

Test(clockfit, few_messages_leave_an_error_that_is_told)
{
    check(drifting, 10, 10e3, 20e6);
    cr_assert_gt(fit.error, 50e3);
}

Test(clockfit, a_change_of_drift)
{
    open_whole();
    messages(changing, 20000, 5e3);
    cr_assert(clockfit_solve(&fit));
    cr_assert_gt(fit.pieces, 1);
    cr_assert_lt(worst(changing), 50e3, "%g", worst(changing));
}

Test(clockfit, a_bent_clock)
{
    open_whole();
    messages(bent, 50000, 5e3);
    cr_assert(clockfit_solve(&fit));
    cr_assert_lt(worst(bent), 50e3, "%g", worst(bent));
}

Test(clockfit, messages_one_way_tell_nothing)
{
    open_whole();
    cr_assert(!clockfit_solve(&fit));
    cr_assert_eq(clockfit_at(&fit, 5e9), 0);
    for (u32 i = 0; i < 100; i++)
        message(steady, 0, RUN, 1e3, true);
    cr_assert(!clockfit_solve(&fit));
    cr_assert_eq(clockfit_at(&fit, 5e9), 0);
}

Test(clockfit, a_part_without_messages)
{
    open_whole();
    for (u32 i = 0; i < 4000; i++)
        message(drifting, 3e9, 4e9, 10e3, i % 2);
    cr_assert(clockfit_solve(&fit));
    cr_assert_lt(worst(drifting), 500e3, "%g", worst(drifting));
    cr_assert(worst(drifting) <= fit.error, "%g, told %g", worst(drifting), fit.error);
}

Test(clockfit, contradictions)
{
    open_whole();
    for (u32 i = 0; i < 1000; i++) {
        clockfit_above(&fit, RUN * chance(), -1e6 * chance());
        clockfit_below(&fit, RUN * chance(), 1e6 * chance());
    }
    clockfit_above(&fit, -1e30, -1e30);
    clockfit_below(&fit, 1e30, 1e30);
    cr_assert(clockfit_solve(&fit));
    cr_assert(isfinite(clockfit_at(&fit, RUN / 2)));
}

/* Bounds of one moment leave drifts open, which is of no account there. */
Test(clockfit, the_error_is_of_what_is_asked_for)
{
    for (int whole = 0; whole < 2; whole++) {
        clockfit_open(&fit, 0, RUN);
        for (u32 i = 0; i < 2; i++) {
            double at = RUN / 2 + i * RUN / 1e6;

            clockfit_above(&fit, at, 10e3);
            clockfit_below(&fit, at, -10e3);
            clockfit_covers(&fit, whole ? i * RUN : at);
        }
        cr_assert(clockfit_solve(&fit));
        cr_expect_eq(fit.error > 50e3, whole, "%g", fit.error);
    }
}
