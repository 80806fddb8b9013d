/* SPDX-License-Identifier: Apache-2.0 */
#include "share/err.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

Test(err, one_write_a_sentence)
{
    int ends[2];
    char text[64] = "";

    cr_assert_eq(pipe(ends), 0);
    err_start("prog", ends[1]);
    err_warn("no %s", "such");
    cr_assert_eq(read(ends[0], text, sizeof(text)), 14);
    cr_assert_str_eq(text, "prog: no such\n");
    memset(text, 0, sizeof(text));
    err_print("%d", 5);
    cr_assert_eq(read(ends[0], text, sizeof(text)), 2);
    cr_assert_str_eq(text, "5\n");
}

/* What a name may hold, a terminal must not be told. */
Test(err, names_are_shown_and_not_obeyed)
{
    int ends[2];
    char text[128] = "";

    cr_assert_eq(pipe(ends), 0);
    err_start("prog", ends[1]);
    err_print("no %s", "\033[2J\nb\177\233\302\233\t\303\251\342\202");
    cr_assert_gt(read(ends[0], text, sizeof(text) - 1), 0);
    cr_assert_str_eq(text, "no \\x1b[2J\\x0ab\\x7f\\x9b\\xc2\\x9b\t\303\251"
                           "\\xe2\\x82\n");
    memset(text, 0, sizeof(text));
    err_print("two\n%s", "lines");
    cr_assert_gt(read(ends[0], text, sizeof(text) - 1), 0);
    cr_assert_str_eq(text, "two\nlines\n");
}
