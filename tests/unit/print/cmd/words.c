/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/words.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "share/types.h"

/* Words of a line, joined by "|"; "!" if it cannot be split. */
static const char *
split(const char *line)
{
    static char text[256];
    struct words w;
    const char *error = NULL;

    text[0] = '\0';
    if (words_split(&w, line, &error)) {
        cr_assert(error != NULL);
        return "!";
    }
    for (int i = 0; i < w.n; i++) {
        strcat(text, i ? "|" : "");
        strcat(text, w.v[i]);
    }
    cr_assert(w.v[w.n] == NULL);
    words_free(&w);
    return text;
}

Test(words, split)
{
    cr_assert_str_eq(split(""), "");
    cr_assert_str_eq(split("  \t # nothing"), "");
    cr_assert_str_eq(split("limit 10\r"), "limit|10");
    cr_assert_str_eq(split("fsingle \"operator new\" 2 #x"), "fsingle|operator new|2");
    cr_assert_str_eq(split("source a#b"), "source|a#b");
    cr_assert_str_eq(split("filters 'FNAME(\"f.*\")'"), "filters|FNAME(\"f.*\")");
    cr_assert_str_eq(split("f foo<'a>"), "f|foo<'a>");
    cr_assert_str_eq(split("a \"x\"y\"z\" \"\""), "a|xyz|");
    cr_assert_str_eq(split("a \"\\\"q\\\" \\\\ \\n\""), "a|\"q\" \\ \\n");
    cr_assert_str_eq(split("printmode ,"), "printmode|,");
}

Test(words, all_behind_the_first)
{
    static const char *const lines[][2] = {
        { " filters  FNAME(\"f # x\") SOME IN STACK  # why",
          "FNAME(\"f # x\") SOME IN STACK" },
        { "filters 1 < 2\r\n", "1 < 2" },
        { "filters 'PID == 3' # x", "PID == 3" },
        { "filters \"PID == 3\"", "PID == 3" },
        { "filters TSTAMP>1", "TSTAMP>1" },
    };
    const char *error;
    struct words w;

    for (u32 i = 0; i < ER_COUNT(lines); i++) {
        cr_assert_eq(words_split_rest(&w, lines[i][0], 1, &error), 0);
        cr_assert_eq(w.n, 2);
        cr_assert_str_eq(w.v[0], "filters");
        cr_assert_str_eq(w.v[1], lines[i][1]);
        words_free(&w);
    }
    cr_assert_eq(words_split_rest(&w, "define Name  1 < 2 ", 2, &error), 0);
    cr_assert_eq(w.n, 3);
    cr_assert_str_eq(w.v[1], "Name");
    cr_assert_str_eq(w.v[2], "1 < 2");
    words_free(&w);
    cr_assert_eq(words_split_rest(&w, "define Name", 2, &error), 0);
    cr_assert_eq(w.n, 2);
    words_free(&w);
    cr_assert_eq(words_split_rest(&w, "filters # nothing", 1, &error), 0);
    cr_assert_eq(w.n, 1);
    words_free(&w);
    cr_assert_eq(words_split_rest(&w, "filters \"x", 1, &error), -EINVAL);
}

Test(words, no_partner)
{
    cr_assert_str_eq(split("a \"b"), "!");
    cr_assert_str_eq(split("a 'b"), "!");
}

Test(words, too_many)
{
    char line[2 * WORDS_MAX + 3] = "";

    for (int i = 0; i < WORDS_MAX; i++)
        strcat(line, "x ");
    cr_assert_str_neq(split(line), "!");
    strcat(line, "x");
    cr_assert_str_eq(split(line), "!");
}

Test(words, continued_lines)
{
    char text[] = "metrics \\\ne.user\n\nlimit 3\\";
    FILE *f = fmemopen(text, strlen(text), "r");
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;

    cr_assert(words_read_line(f, &line, &size, &number));
    cr_assert_str_eq(line, "metrics e.user");
    cr_assert_eq(number, 2);
    cr_assert(words_read_line(f, &line, &size, &number));
    cr_assert_str_eq(line, "");
    cr_assert(words_read_line(f, &line, &size, &number));
    cr_assert_str_eq(line, "limit 3");
    cr_assert_eq(number, 4);
    cr_assert_not(words_read_line(f, &line, &size, &number));
    free(line);
    fclose(f);
}
