/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/noise.h"

#include <criterion/criterion.h>

#include "tests/gen/stage.h"

TestSuite(noise, .init = stage_up, .fini = stage_down);

Test(noise, clock_metrics_have_it_and_others_are_exact)
{
    cr_assert(noise_concerns(METRIC_totalcpu));
    cr_assert(noise_concerns(METRIC_user));
    cr_assert(noise_concerns(METRIC_system));
    cr_assert_not(noise_concerns(METRIC_sync));
}

/* The variance is that of hits of these weights: a sum times the mean weight. */
Test(noise, grows_with_the_sum_and_with_what_a_hit_weighs)
{
    const struct noise noise = { .user = 10, .system = 3 };
    struct values values = { 0 };

    values.v[METRIC_user] = 500;
    values.v[METRIC_system] = 200;
    cr_assert_float_eq(noise_variance(&noise, &values, METRIC_user), 5000, 1e-9);
    cr_assert_float_eq(noise_variance(&noise, &values, METRIC_system), 600, 1e-9);
    cr_assert_float_eq(noise_variance(&noise, &values, METRIC_totalcpu), 5600, 1e-9);
    cr_assert_float_eq(noise_variance(&noise, &values, METRIC_sync), 0, 1e-9);
    /* What is left of a sum may be less than nothing, its variance is not. */
    values.v[METRIC_user] = -500;
    cr_assert_float_eq(noise_variance(&noise, &values, METRIC_user), 0, 1e-9);
    cr_assert_float_eq(noise_variance(&noise, &values, METRIC_totalcpu), 600, 1e-9);
}

Test(noise, a_hit_weighs_what_the_mean_nanosecond_saw)
{
    /* User time of hits in ms, see scene.h: sums of squares and of weights. */
    const double user = (100 + 25 + 4 + 1 + 16 + 49 + 36) * 1e6 / 35;
    struct noise noise;

    cr_assert_eq(noise_measure(stage, &noise), 0);
    cr_assert_float_eq(noise.user, user, 1);
    cr_assert_float_eq(noise.system, 3e6, 1);
}
