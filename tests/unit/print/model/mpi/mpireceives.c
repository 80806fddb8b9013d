/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpireceives.h"

#include <criterion/criterion.h>

enum { MANY = 200000 };

static u64 got[MANY]; /* when each one delivered was begun */
static u32 count;

static void
deliver(void *context, u32 rank, struct mpi_receive *r)
{
    (void)context;
    (void)rank;
    cr_assert_lt(count, MANY);
    got[count++] = r->begun;
}

static struct mpi_receives
empty(void)
{
    count = 0;
    return (struct mpi_receives){ .deliver = deliver };
}

/* The receive that was begun then has got a message. */
static void
complete(struct mpi_receives *list, u64 begun, u32 peer, u32 tag)
{
    struct mpi_receive *r = mpireceives_find(list, begun, 1, peer, tag);

    cr_assert(r, "the receive that was begun at %llu", (unsigned long long)begun);
    r->peer = peer;
    r->tag = tag;
    mpireceives_complete(list, r);
}

Test(mpireceives, in_the_order_of_their_beginnings)
{
    struct mpi_receives list = empty();

    mpireceives_add(&list, 10, 1, 3, 5);
    mpireceives_add(&list, 20, 1, 0, 5);
    mpireceives_add(&list, 30, 1, 3, 5);
    complete(&list, 30, 3, 5);
    complete(&list, 20, 3, 5);
    cr_assert_eq(count, 0, "the first may get what either has got");
    complete(&list, 10, 3, 5);
    cr_assert_eq(count, 3);
    cr_assert(got[0] == 10 && got[1] == 20 && got[2] == 30);
    mpireceives_close(&list);
}

Test(mpireceives, others_are_not_held_back)
{
    struct mpi_receives list = empty();

    mpireceives_add(&list, 10, 1, 3, 5);
    mpireceives_add(&list, 20, 1, 4, 5);
    mpireceives_add(&list, 30, 1, 3, 6);
    complete(&list, 30, 3, 6);
    complete(&list, 20, 4, 5);
    cr_assert_eq(count, 2);
    mpireceives_close(&list);
    cr_assert_eq(count, 2, "what is open is not delivered");
}

Test(mpireceives, one_for_nobody_holds_nobody_back_when_it_is_gone)
{
    struct mpi_receives list = empty();
    struct mpi_receive *nobody = mpireceives_add(&list, 10, 1, 0, 0);

    mpireceives_add(&list, 20, 1, 3, 5);
    complete(&list, 20, 3, 5);
    cr_assert_eq(count, 0);
    mpireceives_drop(&list, nobody);
    cr_assert_eq(count, 1);
    mpireceives_close(&list);
}

Test(mpireceives, doubt)
{
    struct mpi_receives list = empty();

    mpireceives_add(&list, 10, 1, 0, 0);
    mpireceives_add(&list, 20, 1, 3, 5);
    complete(&list, 20, 3, 5);
    cr_assert_eq(count, 0);
    mpireceives_doubt(&list);
    cr_assert_eq(count, 1);
    complete(&list, 10, 4, 4);
    cr_assert_eq(count, 2, "its end may come all the same");
    mpireceives_close(&list);
}

/* Several that one call has begun: each end belongs to the one that asked for it. */
Test(mpireceives, begun_at_once)
{
    struct mpi_receives list = empty();

    for (u32 i = 1; i <= 4; i++)
        mpireceives_add(&list, 10, 1, i, 5);
    mpireceives_add(&list, 20, 1, 1, 5);
    complete(&list, 10, 2, 5);
    complete(&list, 10, 1, 5);
    complete(&list, 20, 1, 5);
    cr_assert_eq(count, 3);
    cr_assert_eq(got[2], 20, "the first of peer 1 does not hold it back any more");
    mpireceives_close(&list);
}

Test(mpireceives, what_is_complete_at_the_end)
{
    struct mpi_receives list = empty();

    mpireceives_add(&list, 10, 1, 0, 0);
    mpireceives_add(&list, 30, 1, 3, 5);
    mpireceives_add(&list, 20, 1, 3, 5);
    complete(&list, 30, 3, 5);
    complete(&list, 20, 3, 5);
    mpireceives_close(&list);
    cr_assert_eq(count, 2);
    cr_assert(got[0] == 20 && got[1] == 30);
}

/* More than would be done within any patience if work went with how many are open. */
Test(mpireceives, many_are_open, .timeout = 60)
{
    struct mpi_receives list = empty();

    for (u32 i = 0; i < MANY; i++)
        mpireceives_add(&list, 10 + i * 4ull, 1, 0, 5);
    for (u32 i = MANY; i-- > 0;)
        complete(&list, 10 + i * 4ull, 1 + i % 7, 5);
    cr_assert_eq(count, MANY);
    for (u32 i = 0; i < MANY; i++)
        cr_assert_eq(got[i], 10 + i * 4ull);
    mpireceives_close(&list);
}
