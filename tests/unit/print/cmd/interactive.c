/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/interactive.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* The number'th completion, "" for none. */
static const char *
completed(struct shell *sh, const char *line, int start, u32 number)
{
    static char *text;

    free(text);
    text = interactive_complete(sh, line, start, line + start, number);
    return text ? text : "";
}

Test(interactive, completion)
{
    struct shell sh;

    cr_assert_eq(shell_start(&sh), 0);
    cr_assert_str_eq(completed(&sh, "fun", 0, 0), "functions");
    cr_assert_str_eq(completed(&sh, "fun", 0, 1), "");
    cr_assert_str_eq(completed(&sh, "  calle", 2, 0), "callers-callees");
    cr_assert_str_eq(completed(&sh, "help callt", 5, 0), "calltree");
    cr_assert_str_eq(completed(&sh, "outfile fun", 8, 0), "",
                     "files are the library's");
    cr_assert_str_eq(completed(&sh, "dmet", 0, 0), "", "only in rc files");
    cr_assert_str_eq(completed(&sh, "nonsense x", 9, 0), "");
    cr_assert_eq(shell_end(&sh), 0);
}
