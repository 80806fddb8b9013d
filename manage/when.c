/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/when.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000ull
#define MOST (UINT64_MAX / 4)

static const struct {
    const char *name;
    u64 ns;
} units[] = {
    { "", SECOND },  { "s", SECOND },       { "ms", 1000000 },       { "us", 1000 },
    { "ns", 1 },     { "m", 60 * SECOND },  { "h", 3600 * SECOND },
};

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read digits as a number of units; move *at past them. 0, -EINVAL or -ERANGE. */
static int
parse_whole(const char **at, u64 unit, u64 *ns)
{
    const char *first = *at;
    u64 value = 0;

    for (; is_digit(**at); ++*at)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (u64)(**at - '0'), &value) || value > MOST)
            return -ERANGE;
    if (*at == first)
        return -EINVAL;
    if (__builtin_mul_overflow(value, unit, &value) || value > MOST)
        return -ERANGE;
    *ns = value;
    return 0;
}

/*
 * Read the digits after a point, if there is one, and add their value in `unit` ns to
 * *ns; digits worth less than 1 ns are ignored.
 */
static void
parse_fraction(const char **at, u64 unit, u64 *ns)
{
    if (**at != '.')
        return;
    for (++*at; is_digit(**at); ++*at) {
        unit /= 10;
        *ns += unit * (u64)(**at - '0');
    }
}

/* Read a time with colons, of minutes and seconds or with hours: 1:30, 1:02:03.5. */
static int
parse_clock(const char *text, u64 *ns)
{
    u64 parts[3], sum = 0;
    int n = 0, ret;

    do {
        text += n > 0;
        ret = n < 3 ? parse_whole(&text, SECOND, &parts[n]) : -EINVAL;
        if (ret < 0)
            return ret;
    } while (n++ < 3 && *text == ':');
    for (int i = 0; i < n; i++)
        if (__builtin_mul_overflow(sum, 60, &sum) || (sum += parts[i]) > MOST)
            return -ERANGE;
    parse_fraction(&text, SECOND, &sum);
    *ns = sum;
    return *text ? -EINVAL : 0;
}

static int
parse_duration(const char *text, u64 *ns)
{
    const char *name = text + strspn(text, "0123456789.");
    u64 unit = 0;
    int ret;

    if (strchr(text, ':'))
        return parse_clock(text, ns);
    for (size_t i = 0; i < ER_COUNT(units); i++)
        if (!strcmp(units[i].name, name))
            unit = units[i].ns;
    if (!unit)
        return -EINVAL;
    ret = parse_whole(&text, unit, ns);
    if (ret < 0)
        return ret;
    parse_fraction(&text, unit, ns);
    return text == name ? 0 : -EINVAL;
}

static int
parse_now(const char *text, const struct when *when, u64 *ns)
{
    u64 by = 0;
    int ret = 0;

    if (!when->running)
        return -ENODATA;
    if (*text && *text != '+' && *text != '-')
        return -EINVAL;
    if (*text)
        ret = parse_duration(text + 1, &by);
    if (ret == 0 && *text == '-' && by > when->now)
        ret = -ERANGE;
    if (ret == 0)
        *ns = *text == '-' ? when->now - by : when->now + by;
    return ret;
}

static int
parse_wall(const char *text, const struct when *when, u64 *ns)
{
    struct tm tm = { .tm_isdst = -1 };
    const char *at = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    u64 fraction = 0;
    time_t t;

    if (!at)
        return -EINVAL;
    parse_fraction(&at, SECOND, &fraction);
    if (*at)
        return -EINVAL;
    if (!when->start_wall)
        return -ENODATA;
    t = mktime(&tm);
    if (t < 0 || (u64)t * SECOND + fraction < when->start_wall)
        return -ERANGE;
    *ns = (u64)t * SECOND + fraction - when->start_wall;
    return 0;
}

int
when_parse(const char *text, size_t len, const struct when *when, u64 *ns)
{
    char copy[64];
    u64 moment;
    int ret;

    if (!len || len >= sizeof(copy))
        return -EINVAL;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (copy[0] == '@')
        ret = parse_now(copy + 1, when, &moment);
    else if (strchr(copy, '-'))
        ret = parse_wall(copy, when, &moment);
    else
        ret = parse_duration(copy, &moment);
    if (ret == 0)
        *ns = moment;
    return ret;
}
