/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpisyncs.h"

#include <criterion/criterion.h>

Test(mpisyncs, messages_of_a_pair)
{
    struct mpi_syncs *s = mpisyncs_open(4);

    cr_assert_eq(mpisyncs_before(s, 0, 1, 100), INT64_MIN);
    cr_assert_eq(mpisyncs_pair(s, 0, 1, 10, 5), 0);
    cr_assert_eq(mpisyncs_before(s, 0, 1, 100), 10);
    cr_assert_eq(mpisyncs_before(s, 1, 0, 10), 10);
    cr_assert_eq(mpisyncs_before(s, 1, 0, 9), INT64_MIN);
    cr_assert_eq(mpisyncs_before(s, 0, 2, 100), INT64_MIN);
    /* Either way counts, whichever is later. */
    cr_assert_eq(mpisyncs_pair(s, 1, 0, 30, 25), 0);
    cr_assert_eq(mpisyncs_before(s, 0, 1, 100), 30);
    cr_assert_eq(mpisyncs_before(s, 0, 1, 20), 10);
    mpisyncs_close(s);
}

/* What one call waited for is one step: the one before it is still known. */
Test(mpisyncs, several_messages_of_one_call)
{
    struct mpi_syncs *s = mpisyncs_open(2);

    cr_assert_eq(mpisyncs_pair(s, 0, 1, 10, 5), 0);
    for (int64_t i = 0; i < 5; i++)
        cr_assert_eq(mpisyncs_pair(s, 0, 1, 50 + i, 40), 0);
    cr_assert_eq(mpisyncs_before(s, 0, 1, 40), 10);
    cr_assert_eq(mpisyncs_before(s, 0, 1, 60), 54);
    mpisyncs_close(s);
}

Test(mpisyncs, collective_calls)
{
    struct mpi_syncs *s = mpisyncs_open(4);
    const struct mpi_entry all[] = { { .rank = 0 }, { .rank = 1 }, { .rank = 2 } };
    struct mpi_collective call = { .comm = 7, .count = 3, .entry = all };

    mpisyncs_all(s, &call, 10);
    mpisyncs_all(s, &call, 20);
    cr_assert_eq(mpisyncs_before(s, 0, 2, 15), 10);
    cr_assert_eq(mpisyncs_before(s, 0, 2, 25), 20);
    cr_assert_eq(mpisyncs_before(s, 0, 3, 25), INT64_MIN);
    /* Of a smaller communicator; then of more of them than are kept. */
    call.comm = 8;
    call.count = 2;
    mpisyncs_all(s, &call, 30);
    cr_assert_eq(mpisyncs_before(s, 0, 1, 35), 30);
    cr_assert_eq(mpisyncs_before(s, 0, 2, 35), 20);
    for (u64 comm = 9; comm < 30; comm++) {
        call.comm = comm;
        mpisyncs_all(s, &call, 40 + (int64_t)comm);
    }
    cr_assert_eq(mpisyncs_before(s, 0, 1, 100), 69);
    cr_assert_eq(mpisyncs_before(s, 0, 2, 100), INT64_MIN);
    mpisyncs_close(s);
}
