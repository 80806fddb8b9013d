/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/when.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000ull

/* A run that began ten days into 1970 and goes on, 100 s after its start. */
static const struct when live = {
    .start_wall = 864000 * SECOND, .running = true, .now = 100 * SECOND,
};

static int
parse(const char *text, const struct when *when, u64 *ns)
{
    *ns = 77;
    return when_parse(text, strlen(text), when, ns);
}

static void
is_at(const char *text, u64 wanted)
{
    u64 ns;

    cr_assert_eq(parse(text, &live, &ns), 0, "%s", text);
    cr_assert_eq(ns, wanted, "%s: %llu", text, (unsigned long long)ns);
}

static void
refused(const char *text, const struct when *when, int error)
{
    u64 ns;

    cr_assert_eq(parse(text, when, &ns), error, "%s", text);
    cr_assert_eq(ns, 77, "%s: outputs are set on success only", text);
}

Test(when, from_the_start)
{
    is_at("0", 0);
    is_at("12.5", 12500000000);
    is_at("3s", 3 * SECOND);
    is_at("80ms", 80000000);
    is_at("1.5us", 1500);
    is_at("7ns", 7);
    is_at("7.9ns", 7);
    is_at("2m", 120 * SECOND);
    is_at("1.5h", 5400 * SECOND);
    is_at("1:30", 90 * SECOND);
    is_at("1:02:03.5", 3723 * SECOND + SECOND / 2);
    is_at("0:75", 75 * SECOND);
}

Test(when, from_now)
{
    struct when over = { .start_wall = SECOND };

    is_at("@", 100 * SECOND);
    is_at("@+5s", 105 * SECOND);
    is_at("@-1:00", 40 * SECOND);
    is_at("@-100", 0);
    refused("@-101", &live, -ERANGE);
    refused("@5", &live, -EINVAL);
    refused("@+", &live, -EINVAL);
    refused("@", &over, -ENODATA);
}

Test(when, by_the_wall)
{
    struct when none = { .running = true };

    setenv("TZ", "UTC", 1);
    tzset();
    is_at("1970-01-11T00:00:05", 5 * SECOND);
    is_at("1970-01-11T00:00:05.25", 5 * SECOND + SECOND / 4);
    refused("1970-01-10T23:59:59", &live, -ERANGE);
    refused("1970-13-11T00:00:05", &live, -EINVAL);
    refused("1970-01-11T00:00:05x", &live, -EINVAL);
    refused("1970-01-11", &live, -EINVAL);
    refused("1970-01-11T00:00:05", &none, -ENODATA);
}

Test(when, what_is_none)
{
    static const char *const texts[] = { "x",   "s",     ".5",  "1.2.3", "1 s", "5k",
                                         "1::2", "1:2:3:4", ":1", "1:",   "+5", "1e9" };
    char many[200];
    u64 ns = 77;

    for (size_t i = 0; i < ER_COUNT(texts); i++)
        refused(texts[i], &live, -EINVAL);
    memset(many, '1', sizeof(many));
    cr_assert_eq(when_parse(many, sizeof(many), &live, &ns), -EINVAL);
    cr_assert_eq(when_parse("", 0, &live, &ns), -EINVAL);
    refused("99999999999999999999", &live, -ERANGE);
    refused("5000000000h", &live, -ERANGE);
    refused("99999999999:00:00", &live, -ERANGE);
}

Test(when, only_so_many_bytes)
{
    u64 ns;

    cr_assert_eq(when_parse("12=30", 2, &live, &ns), 0);
    cr_assert_eq(ns, 12 * SECOND);
}
