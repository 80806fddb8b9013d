/* SPDX-License-Identifier: Apache-2.0 */
/* The language of filters, asked of the scene of tests/gen/scene.h. */
#include "print/model/filter/filter.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "print/model/views/account.h"
#include "print/model/filter/filtertoken.h"
#include "print/model/views/view.h"
#include "print/model/session/sessions.h"
#include "tests/gen/stage.h"

TestSuite(filter, .init = stage_up, .fini = stage_down);

/* Total CPU of what passes, in units of 0.5 ms. */
static int64_t
half_ms(const char *text)
{
    struct filter_error error = { 0, "" };
    struct values total;

    cr_assert_eq(filter_set(stage, FILTER_EXPRESSION, text, &error), 0, "%s: %s", text,
                 error.text);
    cr_assert_eq(view_total(stage, &total), 0);
    cr_assert_eq(total.v[METRIC_totalcpu], total.v[METRIC_user] +
                                               total.v[METRIC_system]);
    return total.v[METRIC_totalcpu] / (MS / 2);
}

static void
passes(const char *text, int64_t ms)
{
    int64_t got = half_ms(text);

    cr_assert_eq(got, 2 * ms, "%s: %g ms pass, not %d", text, (double)got / 2, (int)ms);
}

enum {
    ALL = 38, /* events */
};

Test(filter, numbers_and_precedence)
{
    static const char *const true_ones[] = {
        "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "7 / 2 == 3", "-7 / 2 == -3",
        "7 % 4 == 3", "1 << 4 == 16", "-16 >> 2 == -4", "0x1F == 31",
        "1 | 2 ^ 3 & 2", "(6 & 3) == 2", "(6 ^ 3) == 5", "(6 | 3) == 7", "~0 == -1",
        "!0", "!5 == 0", "1 < 2 == 1", "3 > 2 && 2 >= 2 && 2 <= 2 && 1 != 2",
        "0 || 0 || 2", "1 ? 2 : 0", "0 ? 0 : 1 ? 1 : 0", "1 || 1 && 0",
        "10 - 4 - 3 == 3", "2s == 2000000000", "1.5ms == 1500us", "1 == 1ns",
        "9223372036854775807 + 1 < 0", "2 IN (1, 2, 3)", "(1, 3) IN (1, 2, 3)",
        "(1, 4) SOME IN (1, 2, 3)", "(2, 3) ORDERED IN (1, 2, 3)",
        "!((3, 2) ORDERED IN (1, 2, 3))", "!((1, 4) IN (1, 2, 3))",
        "!((1, 3) ORDERED IN (1, 2, 3))", "1 - -1 == 2", "1<<64 == 0",
        "-9223372036854775807 - 1 == (-9223372036854775807 - 1) / -1",
        "pid == 0 || 1", "EXPGRID == 1", "Expid==1", "7&3==3", "\t1\n",
    };
    int64_t all = half_ms(NULL);

    for (u32 i = 0; i < ER_COUNT(true_ones); i++) {
        char text[200];

        cr_assert_eq(half_ms(true_ones[i]), all, "%s", true_ones[i]);
        snprintf(text, sizeof(text), "!(%s)", true_ones[i]);
        cr_assert_eq(half_ms(text), 0, "%s", text);
    }
}

Test(filter, what_is_not_there_is_false)
{
    static const char *const nothing[] = {
        "HSIZE", "HSIZE == 0", "HSIZE != 0", "HSIZE < 5", "HSIZE + 1", "1 / 0",
        "5 % 0 == 0", "-HSIZE == 0", "~HSIZE", "HSIZE IN (0, 1)", "VADDR SOME IN (0)",
        "HSIZE || 0", "HSIZE ? 1 : 0",
    };
    int64_t all = half_ms(NULL);

    for (u32 i = 0; i < ER_COUNT(nothing); i++)
        cr_assert_eq(half_ms(nothing[i]), 0, "%s", nothing[i]);
    cr_assert_eq(half_ms("!HSIZE"), all);
    cr_assert_eq(half_ms("HSIZE ? 0 : 1"), all);
}

Test(filter, all_that_passes_is_the_whole_account)
{
    int64_t all = half_ms(NULL);

    cr_assert_eq(half_ms("1"), all);
    /* At each event something is asked, and all hold. */
    cr_assert_eq(half_ms("TSTAMP >= 0 || !(TSTAMP >= 0)"), all);
    cr_assert_eq(half_ms("FNAME(\".*\") SOME IN STACK"), all);
    cr_assert_eq(half_ms("LEAF IN STACK"), all);
    cr_assert_eq(half_ms("STACK IN STACK"), all);
    cr_assert_eq(half_ms("STACK ORDERED IN USTACK"), all);
}

Test(filter, fields_of_events)
{
    passes("MSTATE == 1", 3);
    passes("MSTATE == 0", ALL - 3);
    passes("MSTATE == 1 && THRID == 1", 3);
    passes("THRID == 2 && TSTAMP > 0", 5 + 2 + 7 + 6);
    passes("LWPID == 0", 0);
    passes("CPUID == 1000", 0);
    passes("CPUID >= 0", ALL);
}

Test(filter, functions_on_stacks)
{
    passes("FNAME(\"g2\") SOME IN STACK", 10 + 4);
    passes("FNAME(\"f1\") SOME IN STACK", 10 + 3 + 2 + 4);
    passes("FNAME(\"f.*\") SOME IN USTACK && TSTAMP > 0", ALL - 7 - 6);
    passes("FNAME(\"f\") SOME IN STACK", 0);
    passes("FNAME(\"inlined_5\") SOME IN STACK", 5);
    passes("STACK SOME IN FNAME(\"inlined_5|f2\")", 5 + 3 + 2);
    passes("LEAF IN FNAME(\"f2\")", 3 + 2);
    passes("FNAME(\"f1\") IN LEAF", 0);
    passes("(FNAME(\"f2\"), FNAME(\"g2\")) SOME IN STACK", 10 + 3 + 2 + 4);
    passes("(FNAME(\"f0\"), FNAME(\"g2\")) IN STACK", 10 + 4);
    passes("FNAME(\"nobody\") IN STACK", 0);
    passes("!(FNAME(\"f0\") SOME IN STACK) && TSTAMP > 0", 1 + 7 + 6);
    passes("FNAME(\"<Truncated-stack>\") SOME IN STACK", 1);
    passes("FNAME(\"<Unknown>\") SOME IN STACK", 7 + 6);
    passes("FNAME(\"<startup>\") SOME IN STACK", 1);
    passes("THRID == 1 && FNAME(\"<startup>\") SOME IN STACK", 1);
    cr_assert_eq(half_ms("FNAME(\"<exit>\") SOME IN STACK"), 1);
}

Test(filter, all_of_a_name_and_some_of_it)
{
    /* All functions called f1 or f2 that are on stacks, not one of them. */
    passes("FNAME(\"f[12]\") IN STACK", 3 + 2);
    passes("FNAME(\"f[12]\") SOME IN STACK", 10 + 3 + 2 + 4);
}

Test(filter, order_on_stacks)
{
    passes("(FNAME(\"f0\"), FNAME(\"f1\")) ORDERED IN STACK", 10 + 3 + 2 + 4);
    passes("(FNAME(\"f1\"), FNAME(\"f0\")) ORDERED IN STACK", 0);
    passes("(FNAME(\"f1\"), FNAME(\"f1\")) ORDERED IN STACK", 10 + 4);
    passes("(FNAME(\"f0\"), FNAME(\"f2\")) ORDERED IN STACK", 0);
    passes("(FNAME(\"f1\"), FNAME(\"g2|f2\")) ORDERED IN STACK", 10 + 3 + 2 + 4);
    passes("(FNAME(\"f1\"), LEAF) ORDERED IN STACK", 10 + 3 + 2 + 4);
}

Test(filter, parts_are_all_asked)
{
    struct filter_error error;

    cr_assert_eq(filter_set(stage, FILTER_THREADS, "THRID == 1", &error), 0);
    passes("MSTATE == 0 && TSTAMP > 0", 10 + 1 + 4);
    cr_assert(filter_is_set(stage));
    cr_assert_str_eq(filter_text(stage, FILTER_THREADS), "THRID == 1");
    cr_assert_eq(filter_set(stage, FILTER_EXPRESSION, "MSTATE =", &error), -EINVAL);
    cr_assert_str_eq(filter_text(stage, FILTER_EXPRESSION), "MSTATE == 0 && TSTAMP > 0",
                     "a filter that is none changes nothing");
    cr_assert_eq(filter_set(stage, FILTER_THREADS, NULL, &error), 0);
    cr_assert_null(filter_text(stage, FILTER_THREADS));
    passes("MSTATE == 0 && TSTAMP > 0", ALL - 3);
}

Test(filter, several_experiments)
{
    char *path = scene_path(stage_dir, "b.er"), *why;

    passes("FNAME(\"g2\") SOME IN STACK", 10 + 4);
    scene_write(stage_dir, "b.er", 3);
    cr_assert_eq(sessions_add(stage, path, &why), 0);
    passes("FNAME(\"g2\") SOME IN STACK", 2 * (10 + 4));
    passes("FNAME(\"g2\") SOME IN STACK && EXPID == 2", 10 + 4);
    passes("EXPGRID == 2 && MSTATE == 1", 3);
    passes("EXPGRID == 2 && TSTAMP >= 2ms && TSTAMP <= 3ms", 5 + 3);
    cr_assert_eq(sessions_drop(stage, 0), 0);
    passes("FNAME(\"g2\") SOME IN STACK", 10 + 4);
    free(path);
}

Test(filter, accounts_are_of_what_passes)
{
    struct account account;

    half_ms("MSTATE == 1 || FNAME(\"<startup>\") SOME IN STACK");
    cr_assert_eq(account_build(stage, 0, &account), 0);
    cr_assert_eq(account.total.clock_records, 1);
    cr_assert_eq(account.total.system, 3 * MS);
    cr_assert_eq(account.total.residual_user[RESIDUAL_STARTUP], MS);
    cr_assert_eq(account.total.residual_user[RESIDUAL_UNATTRIBUTED], 0);
    cr_assert_not(account.has_kernel);
    account_free(&account);
}

/* column 0: somewhere */
static void
refused(const char *text, u32 column, const char *part)
{
    struct filter_error error = { 0, "" };

    cr_assert_eq(filter_set(stage, FILTER_EXPRESSION, text, &error), -EINVAL, "%s",
                 text);
    cr_assert(error.column == column || !column, "%s: column %u, not %u: %s",
              text, error.column, column, error.text);
    cr_assert_not_null(strstr(error.text, part), "%s: %s", text, error.text);
}

Test(filter, errors_tell_the_column)
{
    refused("", 1, "a value is missing at the end");
    refused("1 +", 4, "missing at the end");
    refused("1 + )", 5, "a value is missing before \")\"");
    refused("(1", 3, "\")\" is missing");
    refused("1 2", 3, "an operator is missing");
    refused("TSTAMP = 5", 8, "\"==\" compares");
    refused("1 && NONSENSE > 2", 6, "there is no \"NONSENSE\"");
    refused("FNAME(\"[\") IN STACK", 8, "no regular expression");
    refused("FNAME(f) IN STACK", 7, "a name in quotation marks");
    refused("FNAME(\"f", 7, "no partner");
    refused("\"f\" IN STACK", 2, "goes into FNAME()");
    refused("STACK", 1, "lists go only with IN");
    refused("1 + STACK", 5, "lists go only with IN");
    refused("FNAME(\"f\") && 1", 1, "lists go only with IN");
    refused("!LEAF", 1, "lists go only with IN");
    refused("THRID IN STACK", 10, "one side has functions");
    refused("(THRID, LEAF) IN STACK", 9, "functions or numbers, not both");
    refused("((1, 2), 3) IN (1)", 2, "a list cannot stand in a list");
    refused("(3, (1, 2)) IN (1)", 5, "a list cannot stand in a list");
    refused("(1, 2)", 1, "lists go only with IN");
    refused("1 ? 2", 6, "\":\" is missing");
    refused("1 ? STACK : 2", 5, "lists go only with IN");
    refused("99999999999999999999", 1, "too large");
    refused("0x11112222333344445", 1, "too large");
    refused("0x", 1, "needs digits");
    refused("9999999999s", 1, "too large");
    refused("1.5", 2, "decimal point");
    refused("12abc", 3, "cannot stand in a number");
    refused("1 @ 2", 3, "no meaning");
    refused("1 && FILEIOVFD(\"x\") ORDERED IN (1)", 32, "have no order");
    refused("FILEIOVFD(\"x\")", 1, "a list stands here");
    refused("(1, FILEIOVFD(\"x\")) IN 1", 5, "a list cannot stand in a list");
    refused("1 && IOFNAME > 3", 14, "== or != is missing");
    refused("CALL > 3", 6, "== or != is missing");
    refused("CALLARG > 3", 9, "an argument in parentheses, is missing");
    refused("CALLARG(n) > 3", 9, "an argument in quotation marks is missing");
    refused("CALLARG(\"\") > 3", 11, "has a name or a number");
    refused("CALLARG == 3", 12, "a name in quotation marks");
    refused("CALLARG(\"n\") == \"(\"", 18, "no regular expression");
    refused("IOFSTYPE == 3", 13, "a name in quotation marks");
    refused("IOFNAME == \"(\"", 13, "no regular expression");
    refused("DNAME(x)", 7, "a name in quotation marks");
    refused("DNAME(\"(\")", 8, "no regular expression");
    refused("DNAME(\"x\") ORDERED IN DOBJ", 23, "no order");
    refused("(1, DNAME(\"x\")) IN DOBJ", 5, "a list cannot stand in a list");
    refused("DNAME(\"x\") IN STACK", 15, "one side has functions");
    refused("SOME STACK", 1, "there is no \"SOME\"");
    refused("\x80", 1, "no meaning");
}

Test(filter, depth_and_length_have_bounds)
{
    static char text[40000];

    memset(text, '(', 2000);
    strcpy(text + 2000, "1");
    refused(text, 201, "nested too deep");
    memset(text, '-', 2000);
    refused(text, 201, "nested too deep");
    text[0] = '(';
    for (u32 i = 1; i < 39999; i += 2)
        memcpy(text + i, "1,", 2);
    refused(text, 0, "too long");
    strcpy(text + 4001, "2) IN (1, 2)");
    cr_assert_eq(half_ms(text), half_ms(NULL));
    for (u32 i = 0; i < 39000; i += 3)
        memcpy(text + i, "1||", 3);
    refused(text, 0, "too long");
    strcpy(text + 3000, "1");
    cr_assert_eq(half_ms(text), half_ms(NULL));
}

Test(filter, tokens_have_names_and_sources)
{
    for (u32 i = 0; i < TOKEN_COUNT; i++) {
        const char *name = filter_tokens[i].name, *source = filter_tokens[i].source;
        struct token_source s;

        cr_assert_eq(filter_token_find(name, (u32)strlen(name)), i, "%s", name);
        while (filter_token_source(&source, &s) == 0)
            cr_assert(*s.record && *s.field, "%s: %s", name, filter_tokens[i].source);
    }
}
