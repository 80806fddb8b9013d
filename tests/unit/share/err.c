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
    err_say("%d", 5);
    cr_assert_eq(read(ends[0], text, sizeof(text)), 2);
    cr_assert_str_eq(text, "5\n");
}
