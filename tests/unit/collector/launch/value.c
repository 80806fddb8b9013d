/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/value.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>

static int
interval(const char *text, u64 *ns)
{
    *ns = 7;
    return value_interval(text, ns);
}

Test(value, interval_names_are_prime_microseconds)
{
    u64 ns;

    cr_assert_eq(interval("off", &ns), 0);
    cr_assert_eq(ns, 0);
    cr_assert_eq(interval("on", &ns), 0);
    cr_assert_eq(ns, 10007000);
    cr_assert_eq(interval("lo", &ns), 0);
    cr_assert_eq(ns, 100003000);
    cr_assert_eq(interval("hi", &ns), 0);
    cr_assert_eq(ns, 997000);
}

Test(value, interval_numbers)
{
    static const struct {
        const char *text;
        u64 ns;
    } good[] = {
        { "5", 5000000 },       { "5m", 5000000 }, { "2.5m", 2500000 },
        { "500u", 500000 },     { "1.5u", 1500 },  { "1u", 1000 },
        { "5ms", 5000000 },     { "500us", 500000 },
        { "high", 997000 },     { "low", 100003000 },
        { "1000", 1000000000 }, { "0.001", 1000 }, { "1000000u", 1000000000 },
    };

    for (size_t i = 0; i < ER_COUNT(good); i++) {
        u64 ns;

        cr_assert_eq(interval(good[i].text, &ns), 0, "%s", good[i].text);
        cr_assert_eq(ns, good[i].ns, "%s gave %llu", good[i].text,
                     (unsigned long long)ns);
    }
}

Test(value, interval_refuses_and_leaves_the_output)
{
    static const struct {
        const char *text;
        int error;
    } bad[] = {
        { "", -EINVAL },
        { "x", -EINVAL },
        { "5x", -EINVAL },
        { "5mm", -EINVAL },
        { "-1", -EINVAL },
        { "+1", -EINVAL },
        { "1.", -EINVAL },
        { ".5", -EINVAL },
        { " 5", -EINVAL },
        { "ON", -EINVAL },
        { "0", -ERANGE },
        { "999.9u", 0 },
        { "0.9u", -ERANGE },
        { "1000.1", -ERANGE },
        { "1001", -ERANGE },
        { "99999999999999999999", -ERANGE },
        { "18446744073709551615", -ERANGE },
        { "u", -EINVAL },
    };

    for (size_t i = 0; i < ER_COUNT(bad); i++) {
        u64 ns;

        cr_assert_eq(interval(bad[i].text, &ns), bad[i].error, "'%s'", bad[i].text);
        if (bad[i].error)
            cr_assert_eq(ns, 7, "'%s'", bad[i].text);
    }
}

Test(value, period)
{
    u64 ns = 7;

    cr_assert_eq(value_period("on", &ns), 0);
    cr_assert_eq(ns, 1000000000);
    cr_assert_eq(value_period("off", &ns), 0);
    cr_assert_eq(ns, 0);
    cr_assert_eq(value_period("0.25", &ns), 0);
    cr_assert_eq(ns, 250000000);
    cr_assert_eq(value_period("60", &ns), 0);
    cr_assert_eq(ns, 60000000000);
    cr_assert_eq(value_period("0.001", &ns), -ERANGE);
    cr_assert_eq(value_period("86401", &ns), -ERANGE);
    cr_assert_eq(value_period("1s", &ns), -EINVAL);
    cr_assert_eq(ns, 60000000000);
}

Test(value, window)
{
    u64 begin = 7, end = 7;

    cr_assert_eq(value_window("30", &begin, &end), 0);
    cr_assert(begin == 0 && end == 30000000000);
    cr_assert_eq(value_window("2m", &begin, &end), 0);
    cr_assert(begin == 0 && end == 120000000000);
    cr_assert_eq(value_window("0.5s", &begin, &end), 0);
    cr_assert(begin == 0 && end == 500000000);
    cr_assert_eq(value_window("10-40", &begin, &end), 0);
    cr_assert(begin == 10000000000 && end == 40000000000);
    cr_assert_eq(value_window("10s-1m", &begin, &end), 0);
    cr_assert(begin == 10000000000 && end == 60000000000);
    cr_assert_eq(value_window("5-0", &begin, &end), 0);
    cr_assert(begin == 5000000000 && end == 0);
    cr_assert_eq(value_window("0", &begin, &end), -ERANGE);
    cr_assert_eq(value_window("5-5", &begin, &end), -ERANGE);
    cr_assert_eq(value_window("5-", &begin, &end), -EINVAL);
    cr_assert_eq(value_window("-5", &begin, &end), -EINVAL);
    cr_assert_eq(value_window("5-6-7", &begin, &end), -EINVAL);
    cr_assert_eq(value_window("1h", &begin, &end), -EINVAL);
    cr_assert(begin == 5000000000 && end == 0, "kept on errors");
}

Test(value, signals)
{
    int sig = 7;

    cr_assert_eq(value_signal("SIGUSR1", &sig), 0);
    cr_assert_eq(sig, SIGUSR1);
    cr_assert_eq(value_signal("USR2", &sig), 0);
    cr_assert_eq(sig, SIGUSR2);
    cr_assert_eq(value_signal("12", &sig), 0);
    cr_assert_eq(sig, 12);
    cr_assert_eq(value_signal("SIGRTMIN+3", &sig), 0);
    cr_assert_eq(sig, SIGRTMIN + 3);
    cr_assert_eq(value_signal("RTMIN", &sig), 0);
    cr_assert_eq(sig, SIGRTMIN);
    sig = 7;
    cr_assert_eq(value_signal("KILL", &sig), -ERANGE);
    cr_assert_eq(value_signal("9", &sig), -ERANGE);
    cr_assert_eq(value_signal("SIGURG", &sig), -ERANGE);
    cr_assert_eq(value_signal("", &sig), -EINVAL);
    cr_assert_eq(value_signal("SIG", &sig), -EINVAL);
    cr_assert_eq(value_signal("0", &sig), -EINVAL);
    cr_assert_eq(value_signal("32", &sig), -EINVAL);
    cr_assert_eq(value_signal("65", &sig), -EINVAL);
    cr_assert_eq(value_signal("10x", &sig), -EINVAL);
    cr_assert_eq(value_signal("RTMIN+99", &sig), -EINVAL);
    cr_assert_eq(value_signal("RTMIN-1", &sig), -EINVAL);
    cr_assert_eq(sig, 7);
}

Test(value, megabytes)
{
    u64 mb = 7;

    cr_assert_eq(value_megabytes("100", &mb), 0);
    cr_assert_eq(mb, 100);
    cr_assert_eq(value_megabytes("0", &mb), -ERANGE);
    cr_assert_eq(value_megabytes("10MB", &mb), -EINVAL);
    cr_assert_eq(value_megabytes("", &mb), -EINVAL);
    cr_assert_eq(mb, 100);
}
