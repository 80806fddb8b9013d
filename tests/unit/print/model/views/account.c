/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/account.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "tests/gen/stage.h"

TestSuite(account, .init = stage_up, .fini = stage_down);

Test(account, threads_and_total)
{
    struct account a;

    cr_assert_eq(account_build(stage, 0, &a), 0);
    cr_assert_eq(a.count, 3); /* the launcher took samples */
    cr_assert_eq(a.row[0].thread, 0);
    cr_assert_eq(a.row[0].index, UINT32_MAX);
    cr_assert_eq(a.row[0].records, 2);
    cr_assert_eq(a.row[1].clock_records, 4);
    cr_assert_eq(a.row[1].records, 4 + 2 + 1);
    cr_assert_eq(a.row[1].user, 15 * MS);
    cr_assert_eq(a.row[1].system, 3 * MS);
    cr_assert_eq(a.row[1].residual_user[RESIDUAL_STARTUP], MS);
    cr_assert_eq(a.row[1].residual_user[RESIDUAL_PAUSED], 9 * MS);
    cr_assert_eq(a.row[2].residual_user[RESIDUAL_UNATTRIBUTED], MS / 2);
    cr_assert_eq(a.total.clock_records, 8);
    cr_assert_eq(a.total.user, 35 * MS);
    cr_assert(a.has_kernel);
    cr_assert_eq(a.rest_user, 2 * MS);
    cr_assert_eq(a.rest_system, 0);
    cr_assert_eq(a.bad_chunks, 0);
    cr_assert_eq(a.nodes, 12);
    account_free(&a);
    cr_assert_eq(account_build(stage, 1, &a), -ENOENT);
}
