/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mspec.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A spec, parsed and written again; or the error. */
static const char *
again(const char *text)
{
    static char buf[2048];
    struct mspec spec;

    if (mspec_parse(text, &spec, buf))
        return buf;
    mspec_format(&spec, buf, sizeof(buf));
    return buf;
}

static const char *
sort_again(const char *text)
{
    static char buf[MSPEC_ERROR];
    struct order order;

    if (mspec_parse_sort(text, &order, buf))
        return buf;
    mspec_format_sort(&order, buf, sizeof(buf));
    return buf;
}

Test(mspec, order_of_flavours_and_marks)
{
    struct mspec s;
    char error[MSPEC_ERROR];

    cr_assert_eq(mspec_parse("ie.%user", &s, error), 0);
    cr_assert_eq(s.n, 4);
    for (u32 i = 0; i < 4; i++) {
        cr_assert_eq(s.item[i].kind, MSPEC_METRIC);
        cr_assert_eq(s.item[i].metric, METRIC_user);
        cr_assert_eq(s.item[i].flavour, i < 2 ? FLAVOUR_INCLUSIVE : FLAVOUR_EXCLUSIVE);
        cr_assert_eq(s.item[i].visibility, i & 1 ? '%' : '.');
    }
}

/* e.METRIC of all in order, that one hidden in front. */
static const char *
all_metrics(const char *hidden)
{
    static char buf[2048];
    size_t at = 0;

    if (*hidden)
        at = (size_t)snprintf(buf, sizeof(buf), "e!%s", hidden);
    for (int m = 0; m < METRIC_COUNT; m++)
        if (metric_is_there((enum metric)m) && strcmp(metrics[m].name, hidden))
            at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%se.%s", at ? ":" : "",
                                   metrics[m].name);
    return buf;
}

Test(mspec, forms)
{
    cr_assert_str_eq(again("e.%totalcpu:i.%totalcpu"), "e.%totalcpu:i.%totalcpu");
    cr_assert_str_eq(again("ie.%user"), "i.%user:e.%user");
    cr_assert_str_eq(again("i.user:i%user:e.user:e%user"), "i.%user:e.%user");
    cr_assert_str_eq(again("E+USER:Name:size:!address"), "e.user:name:size:!address");
    cr_assert_str_eq(again("e.any"), all_metrics(""));
    cr_assert_str_eq(again("e.user:e.user:name:name"), "e.user:name");
    cr_assert_str_eq(again("e!user:e.any"), all_metrics("user"));
}

/* None is there until an experiment names it; then hwc stands for all. */
Test(mspec, counters)
{
    cr_assert(strstr(again("e.hwc0"), "there is no metric"));
    cr_assert_eq(metric_counter("page-faults", ""), METRIC_hwc0);
    cr_assert_eq(metric_counter("cs", ""), METRIC_hwc1);
    cr_assert_str_eq(again("e.%page-faults:i.cs"), "e.%page-faults:i.cs");
    cr_assert_str_eq(again("e.hwc"), "e.page-faults:e.cs");
}

Test(mspec, errors_tell_the_column)
{
    cr_assert(strstr(again("e.user:x.user"), "column 8: \"x\""));
    cr_assert(strstr(again("e.user:e.nothing"), "column 10: there is no metric"));
    cr_assert(strstr(again(""), "column 1:"));
    cr_assert(strstr(again("e.user:"), "column 8:"));
    cr_assert(strstr(again(".user"), "column 1: a flavour"));
    cr_assert(strstr(again("user"), "column 1: a flavour"));
    cr_assert(strstr(again("d.user"), "column 1:"));
    cr_assert(strstr(again("e.!user"), "column 2:"));
    cr_assert(strstr(again("e.name"), "column 1: name has no flavours"));
    cr_assert(strstr(again("%size"), "column 1: size is no percentage"));
}

Test(mspec, failure_leaves_the_old)
{
    struct mspec s = { .n = 77 };
    char error[MSPEC_ERROR];

    cr_assert(mspec_parse("e.user:nonsense", &s, error) < 0);
    cr_assert_eq(s.n, 77);
}

Test(mspec, everything_fits)
{
    char text[2048] = "", buf[4096];
    struct mspec s;

    for (int i = 0; i < 40; i++)
        strcat(text, "eia.%+any:aie!any:name:size:address:");
    strcat(text, "name");
    cr_assert_eq(mspec_parse(text, &s, buf), 0);
    cr_assert(s.n <= MSPEC_MAX);
    mspec_format(&s, buf, sizeof(buf));
    cr_assert(strlen(buf) < sizeof(buf) - 1);
}

Test(mspec, long_names_fit_the_error)
{
    char text[1000];

    memset(text, 'x', sizeof(text));
    text[999] = '\0';
    cr_assert(strlen(again(text)) < MSPEC_ERROR);
}

Test(mspec, sort)
{
    cr_assert_str_eq(sort_again("e.user"), "e.user");
    cr_assert_str_eq(sort_again("-i%USER"), "-i.user");
    cr_assert_str_eq(sort_again("system"), "e.system");
    cr_assert_str_eq(sort_again("name"), "name");
    cr_assert_str_eq(sort_again("-size"), "-size");
    cr_assert_str_eq(sort_again("address"), "address");
    cr_assert(strstr(sort_again("ei.user"), "column 2:"));
    cr_assert(strstr(sort_again("e.any"), "column 3:"));
    cr_assert(strstr(sort_again("e.user:i.user"), "column 7:"));
    cr_assert(strstr(sort_again("e.name"), "column 1:"));
    cr_assert(strstr(sort_again("-"), "column 2:"));
}
