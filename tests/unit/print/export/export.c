/* SPDX-License-Identifier: Apache-2.0 */
/* covers: exports.def text separated json */
#include "print/export/export.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"

/* What a renderer writes; the caller frees it. */
static char *
rendered(const struct table *t, export_fn *export, char separator)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    export(t, separator, f);
    fclose(f);
    return text;
}

static void
renders(const struct table *t, export_fn *export, char separator, const char *wanted)
{
    char *got = rendered(t, export, separator);

    cr_assert_str_eq(got, wanted);
    free(got);
}

static struct table *
sample_table(void)
{
    struct table *t = table_new("functions", LAYOUT_COLUMNS);
    u32 time = table_column(t, "e.user", "Excl.\nUser CPU", "sec.", COL_NS, 0);
    u32 share =
        table_column(t, "e%user", "Excl.\nUser CPU", "%", COL_PERCENT, COL_JOINED);
    u32 mark = table_column(t, "mark", "", "", COL_TEXT, COL_TEXT_ONLY);
    u32 object = table_column(t, "object", "Object", "", COL_TEXT, COL_DATA_ONLY);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);

    table_title(t, "Functions");
    table_fact(t, "a", "Fact", "one");
    table_fact(t, "b", "Nothing", "");
    table_row(t, 0);
    table_number(t, time, 12345678901);
    table_real(t, share, 100);
    table_text(t, mark, "##");
    table_text(t, object, "a.out");
    table_text(t, name, "say \"hi\", world");
    table_row(t, ROW_GAP);
    table_number(t, time, 0);
    table_real(t, share, 100.0 / 3);
    table_text(t, name, "b");
    table_row(t, 0);
    table_number(t, time, (u64)-1500000);
    table_text(t, name, "c\x1b[31m");
    t->nleft_out = 2;
    return t;
}

Test(export, text)
{
    struct table *t = sample_table();

    renders(t, export_text, 0,
            "Functions\n\n"
            "Fact: one\n\n"
            "Excl.              Name\n"
            "User CPU\n"
            "  sec.      %\n"
            "12.346 100.00  ##  say \"hi\", world\n"
            "\n"
            " 0.     33.33      b\n"
            "-0.002             c\\x1b[31m\n"
            "... and 2 more\n\n");
    table_free(t);
}

Test(export, separated)
{
    struct table *t = sample_table();

    renders(t, export_separated, ',',
            "Excl. User CPU (sec.),Excl. User CPU (%),Object,Name\n"
            "12.345678901,100,a.out,\"say \"\"hi\"\", world\"\n"
            "0,33.333333,,b\n"
            "-0.0015,,,c\x1b[31m\n");
    renders(t, export_separated, ';',
            "Excl. User CPU (sec.);Excl. User CPU (%);Object;Name\n"
            "12.345678901;100;a.out;\"say \"\"hi\"\", world\"\n"
            "0;33.333333;;b\n"
            "-0.0015;;;c\x1b[31m\n");
    table_free(t);
}

Test(export, json)
{
    struct table *t = sample_table();
    char *got = rendered(t, export_json, 0);

    cr_assert(strstr(got, "{\"e.user\": 12.345678901, \"e%user\": 100, \"object\": "
                          "\"a.out\", \"name\": \"say \\\"hi\\\", world\"}"));
    cr_assert(strstr(got, "\"e%user\": null, \"object\": null, \"name\": "
                          "\"c\\u001b[31m\"}"));
    cr_assert(strstr(got, "\"facts\": {\"a\": \"one\"}"));
    cr_assert(strstr(got, "\"left_out\": 2"));
    cr_assert(strstr(got, "mark") == NULL);
    free(got);
    table_free(t);
}

Test(export, lists)
{
    struct table *t = table_new("stacks", LAYOUT_PLAIN);
    u32 stack = table_column(t, "stack", "Stack", "", COL_LIST, 0);
    u32 value = table_column(t, "value", "CPU", "s", COL_NS, 0);
    char *json;

    table_row(t, 0);
    table_line(t, stack, "main");
    table_line(t, stack, "a;b");
    table_line(t, stack, "two\nlines");
    table_number(t, value, 1000);
    renders(t, export_text, 0, "main;a\\x3bb;two lines 0.000001\n");
    renders(t, export_separated, ',',
            "Stack,CPU (s)\nmain;a\\x3bb;two lines,0.000001\n");
    json = rendered(t, export_json, 0);
    cr_assert(strstr(json, "{\"stack\": [\"main\", \"a;b\", \"two lines\"], "
                           "\"value\": 0.000001}"));
    free(json);
    table_free(t);
}

Test(export, blocks)
{
    struct table *t = table_new("fsummary", LAYOUT_BLOCKS);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 time = table_column(t, "e.user", "Excl.\nUser CPU", "sec.", COL_NS, 0);
    u32 share =
        table_column(t, "e%user", "Excl.\nUser CPU", "%", COL_PERCENT, COL_JOINED);
    u32 notes = table_column(t, "notes", "Notes", "", COL_LIST, 0);

    table_row(t, 0);
    table_text(t, name, "f");
    table_number(t, time, 0);
    table_real(t, share, 0);
    table_line(t, notes, "x");
    table_line(t, notes, "y");
    table_row(t, 0);
    table_text(t, name, "g");
    renders(t, export_text, 0,
            "f\n"
            "    Excl. User CPU: 0. sec. (0.%)\n"
            "    Notes:          x\n"
            "                    y\n"
            "\n"
            "g\n\n");
    table_free(t);
}

Test(export, empty_table)
{
    struct table *t = table_new("x", LAYOUT_COLUMNS);
    char *json;

    table_column(t, "a", "A", "", COL_COUNT, 0);
    renders(t, export_text, 0, "A\n\n");
    renders(t, export_separated, '|', "A\n");
    json = rendered(t, export_json, 0);
    cr_assert(strstr(json, "\"rows\": []"));
    free(json);
    table_free(t);
}

Test(export, utf8)
{
    cr_assert_eq(value_utf8("\xc3\xa9"), 2);
    cr_assert_eq(value_utf8("\xe2\x82\xac"), 3);
    cr_assert_eq(value_utf8("\xf0\x9f\x98\x80"), 4);
    cr_assert_eq(value_utf8("\xc0\xaf"), 0, "too long a form");
    cr_assert_eq(value_utf8("\xed\xa0\x80"), 0, "a surrogate");
    cr_assert_eq(value_utf8("\xf4\x90\x80\x80"), 0, "beyond the last");
    cr_assert_eq(value_utf8("\xe2\x82"), 0, "cut");
    cr_assert_eq(value_width("\xc3\xa9\xff\x01"), 1 + 4 + 4);
    cr_assert_eq(value_width("\xc2\x9b"), 8, "a C1 control character");
    cr_assert_eq(value_width("a\tb"), 9);
}
