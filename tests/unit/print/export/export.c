/* SPDX-License-Identifier: Apache-2.0 */
/* covers: exports.def text separated json */
#include "print/export/export.h"

#include <criterion/criterion.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/tree.h"
#include "print/export/value.h"

/* What a renderer writes; the caller frees it. */
static char *
rendered(const struct table *t, export_fn *export, char separator)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    export(t, &(struct export_form){ .separator = separator }, f);
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
            "-0.0015,,,c\\x1b[31m\n");
    renders(t, export_separated, ';',
            "Excl. User CPU (sec.);Excl. User CPU (%);Object;Name\n"
            "12.345678901;100;a.out;\"say \"\"hi\"\", world\"\n"
            "0;33.333333;;b\n"
            "-0.0015;;;c\\x1b[31m\n");
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

/* A founder's log has a line for each of its descendants. */
Test(export, lists_may_be_long)
{
    enum { LINES = 30000 };
    struct table *t = table_new("header", LAYOUT_PLAIN);
    u32 one = table_column(t, "one", "One", "", COL_LIST, 0);
    u32 two = table_column(t, "two", "Two", "", COL_LIST, 0);
    struct mallinfo2 before = mallinfo2(), after;
    char line[32], *end;

    table_row(t, 0);
    table_line(t, two, "");
    for (u32 i = 0; i < LINES; i++) {
        snprintf(line, sizeof(line), "line %u", i);
        table_line(t, one, line);
        table_line(t, two, i % 2 ? "" : "x");
    }
    after = mallinfo2();
    cr_assert_lt(after.uordblks + after.hblkhd,
                 before.uordblks + before.hblkhd + 100 * LINES,
                 "not a copy for each line");
    end = (char *)(uintptr_t)t->rows[0].cells[one].text;
    for (u32 i = 0; i < LINES; i++) {
        size_t n = (size_t)snprintf(line, sizeof(line), "line %u", i);

        cr_assert_eq(memcmp(end, line, n), 0, "%u", i);
        end += n;
        cr_assert_eq(*end++, i < LINES - 1 ? '\n' : '\0');
    }
    cr_assert_eq(strlen(t->rows[0].cells[two].text), LINES + LINES / 2);
    cr_assert_eq(memcmp(t->rows[0].cells[two].text, "\nx\n\nx\n", 6), 0);
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
    cr_assert_eq(value_width("\xe2\x80\xae"), 12, "what turns the rest round");
    cr_assert_eq(value_width("a\tb"), 9);
}

/* What text looks like on a screen of that form. */
static void
looks(const struct table *t, const struct export_form *form, const char *wanted)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    export_text(t, form, f);
    fclose(f);
    cr_assert_str_eq(text, wanted);
    free(text);
}

static struct table *
drawn_table(void)
{
    struct table *t = table_new("functions", LAYOUT_COLUMNS);
    u32 time = table_column(t, "e.user", "User CPU", "sec.", COL_NS, 0);
    u32 bar = table_column(t, "bar", "", "", COL_BAR, COL_TEXT_ONLY);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);

    table_row(t, 0);
    table_number(t, time, 1000000000);
    table_real(t, bar, 1);
    table_text(t, name, "std::vector<int, std::allocator<int> >::push_back(int&&)");
    table_row(t, ROW_HOT);
    table_number(t, time, 160000000);
    table_real(t, bar, 0.16);
    table_text(t, name, "f");
    table_row(t, 0);
    table_number(t, time, 0);
    table_real(t, bar, 0);
    table_text(t, name, "g");
    return t;
}

Test(export, bars_are_for_screens)
{
    struct table *t = drawn_table();
    char *json = rendered(t, export_json, 0);

    looks(t, &(struct export_form){ 0 },
          "User CPU  Name\n"
          "    sec.\n"
          "   1.000  std::vector<int, std::allocator<int> >::push_back(int&&)\n"
          "   0.160  f\n"
          "   0.     g\n\n");
    looks(t, &(struct export_form){ .bars = true },
          "User CPU              Name\n"
          "    sec.\n"
          "   1.000  ##########  std::vector<int, std::allocator<int> >::push_back"
          "(int&&)\n"
          "   0.160  ##          f\n"
          "   0.                 g\n\n");
    cr_assert(strstr(json, "bar") == NULL);
    free(json);
    table_free(t);
}

Test(export, colours)
{
    struct table *t = drawn_table();

    looks(t, &(struct export_form){ .bars = true, .utf8 = true, .colour = true,
                                    .width = 60 },
          "\033[1mUser CPU              Name\033[m\n"
          "\033[2m    sec.\033[m\n"
          "   1.000  \033[32m"
          "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\033[m"
          "  std::vector<\u2026>::push_back(int&&)\n"
          "\033[1;31m   0.160  \u2588\u258b          f\033[m\n"
          "   \033[2m0.   \033[m              g\n\n");
    table_free(t);
}

Test(export, narrow_screens)
{
    struct table *t = drawn_table();

    looks(t, &(struct export_form){ .bars = true, .width = 40 },
          "User   Name\n"
          "CPU\n"
          " sec.\n"
          "1.000  std::vector<~>::push_back(int&&)\n"
          "0.160  f\n"
          "0.     g\n\n");
    /* Nothing is lost that could not be guessed: then lines are longer. */
    looks(t, &(struct export_form){ .bars = true, .width = 5 },
          "User   Name\n"
          "CPU\n"
          " sec.\n"
          "1.000  std::v~ck(~)\n"
          "0.160  f\n"
          "0.     g\n\n");
    table_free(t);
}

/* Columns without any value, a heading of three words, and one that may go. */
static struct table *
wide_table(void)
{
    struct table *t = table_new("functions", LAYOUT_COLUMNS);

    table_column(t, "bytes", "Heap Alloc Bytes", "", COL_COUNT, 0);
    table_column(t, "share", "", "%", COL_PERCENT, COL_JOINED);
    table_column(t, "none", "Never", "sec.", COL_NS, 0);
    table_column(t, "zero", "Nothing", "", COL_COUNT, COL_SPARSE);
    table_column(t, "calls", "Calls", "", COL_COUNT, COL_DETAIL);
    table_column(t, "name", "Name", "", COL_TEXT, 0);
    table_row(t, 0);
    table_number(t, 0, 17);
    table_real(t, 1, 50);
    table_number(t, 3, 0);
    table_number(t, 4, 3);
    table_text(t, 5, "abcdefghijklmnopqrstuvwxyz0123456789");
    return t;
}

Test(export, columns_without_values)
{
    struct table *t = wide_table();
    char *json = rendered(t, export_json, 0);

    looks(t, &(struct export_form){ 0 },
          "Heap Alloc Bytes  Calls  Name\n"
          "               %\n"
          "        17 50.00      3  abcdefghijklmnopqrstuvwxyz0123456789\n\n");
    cr_assert(strstr(json, "\"none\"") && strstr(json, "\"zero\": 0"));
    free(json);
    table_free(t);
}

Test(export, too_many_columns)
{
    struct table *t = wide_table();

    looks(t, &(struct export_form){ .width = 56 },
          "Heap      Calls  Name\n"
          "Alloc\n"
          "Bytes\n"
          "       %\n"
          "17 50.00      3  abcdefghijklmnopqrstuvwxyz0123456789\n\n");
    looks(t, &(struct export_form){ .width = 45 },
          "Heap      Name\n"
          "Alloc\n"
          "Bytes\n"
          "       %\n"
          "17 50.00  abcdefghijklmnopq~tuvwxyz0123456789\n"
          "(1 column is left out for lack of room; -printmode csv has all)\n\n");
    table_free(t);
}

static void
is_cut(const char *text, size_t room, bool middle, const char *wanted)
{
    char *got;
    size_t size, width;
    FILE *f = open_memstream(&got, &size);

    width = value_write_cut(text, room, middle, true, f);
    fclose(f);
    cr_assert_str_eq(got, wanted);
    cr_assert_eq(width, value_width(wanted));
    cr_assert_leq(width, room);
    free(got);
}

Test(export, cutting)
{
    is_cut("abcdefgh", 8, true, "abcdefgh");
    is_cut("abcdefgh", 7, true, "abc\u2026fgh");
    is_cut("abcdefgh", 7, false, "abcdef\u2026");
    is_cut("abcdefgh", 1, true, "\u2026");
    is_cut("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 4, true, "\u00e4\u00f6\u2026\u00fc");
    is_cut("\u6f22\u5b57\u6f22\u5b57", 6, true, "\u6f22\u2026\u5b57");
    is_cut("Map<int, Text<char> >::find(int) const", 37, true,
           "Map<\u2026>::find(int) const");
    is_cut("Map<int, Text<char> >::find(int) const", 22, true,
           "Map<\u2026>::find(\u2026) const");
    is_cut("Map<int, Text<char> >::find(int) const", 11, true,
           "Map<\u2026\u2026const");
    is_cut("bool operator< <Set>(Set&, Set&)", 25, true,
           "bool operator< <Set>(\u2026)");
    is_cut("(anonymous namespace)::f(int, int)", 27, true,
           "(anonymous namespace)::f(\u2026)");
    is_cut("<static>@0x16330 (<libx.so.6>)", 29, true,
           "<static>@0x163\u2026 (<libx.so.6>)");
    is_cut("call(a->b, c->d(e)) (x.cc:7)", 19, true, "call(\u2026) (x.cc:7)");
    is_cut("f((((", 4, true, "f(\u2026(");
    is_cut("f<)", 2, true, "f\u2026");
    is_cut("\x1b\x1b\x1b", 9, false, "\\x1b\\x1b\u2026");
}

Test(export, widths)
{
    cr_assert_eq(value_width("abc"), 3);
    cr_assert_eq(value_width("\u00e4"), 1);
    cr_assert_eq(value_width("a\u0308"), 1, "an accent that sits on its letter");
    cr_assert_eq(value_width("\u6f22\u5b57"), 4);
    cr_assert_eq(value_width("\U0001f600"), 2);
    cr_assert_eq(value_width("\xe2\x80\xae"), 12, "what turns the rest round");
    cr_assert_eq(value_width("a\tb"), 9);
    cr_assert_eq(value_width("\x1b[m\xff"), 10);
}

static void
is_drawn(const char *cell, bool utf8, const char *drawn)
{
    char *text = tree_text(cell, utf8);

    cr_assert_str_eq(text, drawn);
    free(text);
}

Test(export, trees)
{
    is_drawn("`-<Total>", false, "+-<Total>");
    is_drawn("  | +-f", false, "  | +-f");
    is_drawn("  | +-f", true, "  \u2502 \u251c\u2500f");
    is_drawn("    `-f(int)", true, "    \u2514\u2500f(int)");
    is_drawn("(70) | `-`-f", true, "(70) \u2502 \u2514\u2500`-f");
}
