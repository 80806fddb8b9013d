/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiqueue.h"

#include <criterion/criterion.h>

static struct mpi_parcel parcel[1000];
static u32 left_sends, left_receives;

static void
left(void *context, bool send, struct mpi_parcel *p)
{
    (void)context;
    cr_assert(!p->queued);
    left_sends += send;
    left_receives += !send;
}

Test(mpiqueue, first_in_first_out)
{
    struct mpi_queues *q = mpiqueue_open();
    struct mpi_envelope e = { 7, 1, 2, 3 };

    cr_assert_null(mpiqueue_pop(q, &e, true));
    for (u32 i = 0; i < 10; i++)
        cr_assert_eq(mpiqueue_put(q, &e, true, &parcel[i]), 0);
    cr_assert_null(mpiqueue_pop(q, &e, true));
    for (u32 i = 0; i < 10; i++)
        cr_assert_eq(mpiqueue_pop(q, &e, false), &parcel[i]);
    cr_assert_null(mpiqueue_pop(q, &e, false));
    /* The other way round. */
    cr_assert_eq(mpiqueue_put(q, &e, false, &parcel[0]), 0);
    cr_assert_null(mpiqueue_pop(q, &e, false));
    cr_assert_eq(mpiqueue_pop(q, &e, true), &parcel[0]);
    mpiqueue_close(q, left, NULL);
    cr_assert_eq(left_sends + left_receives, 0);
}

Test(mpiqueue, envelopes_do_not_mix)
{
    struct mpi_queues *q = mpiqueue_open();

    for (u32 i = 0; i < 1000; i++) {
        struct mpi_envelope e = { i % 2, i % 5, i % 7, i };

        cr_assert_eq(mpiqueue_put(q, &e, i % 3 == 0, &parcel[i]), 0);
    }
    for (u32 i = 0; i < 500; i++) {
        struct mpi_envelope e = { i % 2, i % 5, i % 7, i }, other = e;

        other.comm = 9;
        cr_assert_null(mpiqueue_pop(q, &other, i % 3 != 0));
        cr_assert_eq(mpiqueue_pop(q, &e, i % 3 != 0), &parcel[i]);
    }
    mpiqueue_close(q, left, NULL);
    cr_assert_eq(left_sends, 167);
    cr_assert_eq(left_receives, 333);
}
