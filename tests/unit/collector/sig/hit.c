/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hit.h"

#include <criterion/criterion.h>
#include <signal.h>

/* The phases that the varied periods reach, of work that keeps step with the clock. */
static double
worst_share(double round, u32 every, u64 period, int hits)
{
    enum { BINS = 10 };
    double worst = 0;

    for (u32 seed = 1; seed <= 20; seed++) {
        struct perf_clock p = { .period = period,
                                .every = every,
                                .random = seed * 2654435761u | 1 };
        u64 bins[BINS] = { 0 }, current = period;
        double t = 0;

        p.phase = every == 1 ? p.random : 0;
        for (int i = 0; i < hits; i++) {
            t += (double)current;
            bins[(u64)(t / (round * (double)period) * BINS) % BINS]++;
            if (++p.hits >= every)
                current = sig_next_period(&p);
        }
        for (int from = 0; from < BINS; from++) {
            u64 half = 0;
            double off;

            for (int i = 0; i < BINS / 2; i++)
                half += bins[(from + i) % BINS];
            off = 100.0 * (double)half / hits - 50;
            worst = off < 0 ? (-off > worst ? -off : worst) : off > worst ? off : worst;
        }
    }
    return worst;
}

Test(hit, each_hit_varied_reaches_all_phases)
{
    static const double rounds[] = { 1,       2,       0.5,     3,  1.5,
                                     0.39972, 0.49965, 0.16988, 7.1 };

    for (size_t i = 0; i < sizeof(rounds) / sizeof(*rounds); i++)
        cr_expect_lt(worst_share(rounds[i], 1, 10007000, 1000), 3, "rounds of %g: %g",
                     rounds[i], worst_share(rounds[i], 1, 10007000, 1000));
}

Test(hit, sweeps_reach_all_phases)
{
    static const double rounds[] = { 1,       2,       0.5,     3,  1.5,
                                     4.01204, 5.01505, 1.70512, 16, 32 };

    for (size_t i = 0; i < sizeof(rounds) / sizeof(*rounds); i++)
        cr_expect_lt(worst_share(rounds[i], 20, 997000, 10000), 1, "rounds of %g: %g",
                     rounds[i], worst_share(rounds[i], 20, 997000, 10000));
}

Test(hit, periods_keep_their_mean)
{
    static const u32 every[] = { 1, 20 };

    for (int i = 0; i < 2; i++) {
        struct perf_clock p = { .period = 997000, .every = every[i], .random = 77 };
        double sum = 0;
        u64 least = ~0ull, next = p.period;

        for (int k = 0; k < 10000; k++) {
            sum += (double)next;
            if (++p.hits >= p.every)
                next = sig_next_period(&p);
            least = next < least ? next : least;
        }
        cr_expect_float_eq(sum / 10000, 997000, 300, "%g", sum / 10000);
        cr_expect_gt(least, 997000 / 4);
    }
}

Test(hit, ours_is_told_from_the_targets)
{
    struct thread t = { .perf = { .number = 1005 } };
    siginfo_t info = { .si_code = SI_TIMER };

    cr_expect_not(sig_is_ours(&t, &info), "a timer of the target");
    info.si_value.sival_ptr = &hit_cookie;
    cr_expect(sig_is_ours(&t, &info));
    cr_expect(sig_is_ours(NULL, &info));
    info = (siginfo_t){ .si_code = POLL_IN };
    info.si_fd = 1005;
    cr_expect(sig_is_ours(&t, &info));
    cr_expect_not(sig_is_ours(NULL, &info));
    info.si_fd = 5;
    cr_expect_not(sig_is_ours(&t, &info), "a descriptor of the target");
    t.perf.number = -1;
    info.si_fd = -1;
    cr_expect_not(sig_is_ours(&t, &info));
    info = (siginfo_t){ .si_code = SI_USER };
    cr_expect_not(sig_is_ours(&t, &info));
}
