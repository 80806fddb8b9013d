/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/problems.h"

#include <criterion/criterion.h>

Test(problems, each_once_and_not_without_end)
{
    struct problems p = { 0 };

    problems_add(&p, "the %s one", "first");
    problems_add(&p, "the first one");
    cr_assert_eq(p.count, 1);
    cr_assert_str_eq(p.text[0], "the first one");
    for (int i = 0; i < PROBLEMS_MAX + 10; i++)
        problems_add(&p, "number %d", i);
    cr_assert_eq(p.count, PROBLEMS_MAX);
    cr_assert_eq(p.unlisted, 11);
    problems_free(&p);
    cr_assert_eq(p.count, 0);
}
