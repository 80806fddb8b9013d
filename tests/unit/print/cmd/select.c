/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/select.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void
becomes(const char *list, const char *wanted)
{
    const char *at;
    char *text = select_expression("X", list, &at);

    cr_assert_not_null(text, "%s", list);
    cr_assert_str_eq(text, wanted);
    free(text);
}

static void
refused(const char *list, int place)
{
    const char *at;

    cr_assert_null(select_expression("X", list, &at), "%s", list);
    cr_assert_eq(at - list, place, "%s: %d", list, (int)(at - list));
}

Test(select, lists)
{
    becomes("1", "(X == 1)");
    becomes("1-3,7", "(X >= 1 && X <= 3 || X == 7)");
    becomes("2:5", "(EXPID == 2) && (X == 5)");
    becomes("1-2:all+3:4,ALL", "(EXPID >= 1 && EXPID <= 2) && (1) || (EXPID == 3) && "
                               "(X == 4 || 1)");
}

Test(select, mistakes)
{
    refused("", 0);
    refused("x", 0);
    refused("1,", 2);
    refused("1-", 2);
    refused("1-2-3", 3);
    refused("1,5-3", 4);
    refused("1:", 2);
    refused("1:2:3", 3);
    refused("1+", 2);
    refused("12345678901234567890", 20);
    refused("1 2", 1);
}
