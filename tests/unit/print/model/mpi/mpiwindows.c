/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiwindows.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 7, RANKS = 4 };

static struct mpi_windows *windows;
static char said[400];
static int spans;

static void
waited(void *context, enum mpi_aside what, struct mpi_span *span, u32 rank,
       const struct mpi_side *whom)
{
    static const char *const names[] = { "post", "complete", "lock", "progress" };
    char line[60];

    (void)context;
    if (!span)
        return;
    cr_assert_eq(rank, span->rank);
    snprintf(line, sizeof(line), "%u@%lld %s %u@%lld; ", rank, (long long)span->begin,
             names[what], whom->rank, (long long)whom->begin);
    strcat(said, line);
}

static void
release(void *context, struct mpi_span *span)
{
    (void)context;
    if (!span || --span->pending)
        return;
    spans--;
    free(span);
}

static const struct mpi_windows_sink sink = { waited, release, NULL };

/* A rank's call, from when to when. */
static void
call(u32 rank, u32 number, u32 peer, int64_t begin, int64_t end)
{
    const struct er_mpicall_desc *desc = mpicall_desc(number);
    const struct mpi_event e = { .begin = begin, .end = end };
    struct mpi_span *span = calloc(1, sizeof(*span));
    struct mpi_window_call c = { WINDOW, 1, rank, peer, number, desc->kind, span };

    cr_assert(span);
    spans++;
    *span = (struct mpi_span){ .begin = begin, .end = end, .rank = rank, .pending = 1 };
    mpiwindows_progress(windows, rank, &e);
    cr_assert_eq(mpiwindows_call(windows, &c), 0);
    release(NULL, span);
}

/* The same, of a lock that nobody else may hold. */
static void
lock(u32 rank, u32 target, int64_t begin, int64_t end)
{
    struct mpi_span *span = calloc(1, sizeof(*span));
    struct mpi_window_call c = { WINDOW, 1, rank, target, MPICALL_Win_lock,
                                 MPI_KIND_RMA_ALONE, span };

    cr_assert(span);
    spans++;
    *span = (struct mpi_span){ .begin = begin, .end = end, .rank = rank, .pending = 1 };
    cr_assert_eq(mpiwindows_call(windows, &c), 0);
    release(NULL, span);
}

static void
busy(u32 rank, int64_t begin, int64_t end, u64 again)
{
    const struct mpi_event e = { .begin = begin, .end = end, .again = again };

    mpiwindows_progress(windows, rank, &e);
}

static void
start(void)
{
    windows = mpiwindows_open(RANKS, &sink);
    cr_assert(windows);
}

static void
finish(const char *wanted)
{
    mpiwindows_close(windows);
    cr_assert_str_eq(said, wanted);
    cr_assert_eq(spans, 0, "%d spans are left", spans);
}

Test(mpiwindows, waits_in_the_call_that_the_post_ends)
{
    start();
    mpiwindows_partner(windows, 0, 1, MPICALL_Win_post, 0, 1);
    mpiwindows_partner(windows, 1, 1, MPICALL_Win_start, 0, 0);
    call(1, MPICALL_Win_start, RANK_NONE, 10, 11); /* it comes back at once */
    call(0, MPICALL_Win_post, RANK_NONE, 50, 51);
    call(1, MPICALL_Put, 0, 12, 52);
    call(1, MPICALL_Put, 0, 53, 54); /* it has nothing to wait for */
    call(1, MPICALL_Win_complete, RANK_NONE, 90, 91);
    call(0, MPICALL_Win_wait, RANK_NONE, 60, 92);
    finish("1@12 post 0@50; 0@60 complete 1@90; ");
}

/* A completion may come back later than the wait for it. */
Test(mpiwindows, wait_may_be_back_first)
{
    start();
    mpiwindows_partner(windows, 0, 1, MPICALL_Win_post, 0, 1);
    mpiwindows_partner(windows, 1, 1, MPICALL_Win_start, 0, 0);
    call(0, MPICALL_Win_post, RANK_NONE, 1, 2);
    call(1, MPICALL_Win_start, RANK_NONE, 5, 6);
    call(0, MPICALL_Win_wait, RANK_NONE, 7, 20);
    call(1, MPICALL_Win_complete, RANK_NONE, 15, 30);
    finish("1@5 post 0@1; 0@7 complete 1@15; ");
}

/* MPI_Win_test() has ended the first: the second is not taken for it. */
Test(mpiwindows, posts_go_on_after_a_test)
{
    start();
    mpiwindows_partner(windows, 0, 1, MPICALL_Win_post, 0, 1);
    mpiwindows_partner(windows, 1, 1, MPICALL_Win_start, 0, 0);
    for (int64_t at = 0; at < 200; at += 100) {
        call(0, MPICALL_Win_post, RANK_NONE, at + 1, at + 2);
        call(1, MPICALL_Win_start, RANK_NONE, at + 5, at + 6);
        call(1, MPICALL_Win_complete, RANK_NONE, at + 9, at + 10);
    }
    call(0, MPICALL_Win_wait, RANK_NONE, 108, 111);
    finish("1@5 post 0@1; 1@105 post 0@101; 0@108 complete 1@109; ");
}

Test(mpiwindows, locks_that_block)
{
    start();
    lock(0, 2, 10, 11);
    call(0, MPICALL_Win_unlock, 2, 50, 52);
    lock(1, 2, 20, 51);
    call(1, MPICALL_Win_unlock, 2, 60, 61);
    finish("1@20 lock 0@50; ");
}

/* The first to unlock comes back last: who has the lock had waited, not it. */
Test(mpiwindows, unlocking_takes_long)
{
    start();
    lock(0, 2, 10, 11);
    lock(1, 2, 20, 51);
    call(1, MPICALL_Win_unlock, 2, 60, 61);
    call(0, MPICALL_Win_unlock, 2, 50, 99);
    finish("1@20 lock 0@50; ");
}

/* Acquired no earlier than they are given back: the first to be done was the first. */
Test(mpiwindows, locks_that_are_acquired_late)
{
    start();
    lock(0, 2, 10, 11);
    lock(1, 2, 12, 13);
    call(0, MPICALL_Win_unlock, 2, 50, 52);
    call(1, MPICALL_Win_unlock, 2, 20, 60);
    finish("1@20 lock 0@50; ");
}

Test(mpiwindows, shared_locks_do_not_exclude_each_other)
{
    start();
    call(0, MPICALL_Win_lock, 2, 10, 11);
    call(1, MPICALL_Win_lock, 2, 12, 55);
    call(0, MPICALL_Win_unlock, 2, 50, 52);
    call(1, MPICALL_Win_unlock, 2, 56, 60);
    finish("");
}

Test(mpiwindows, needs_the_other_in_mpi)
{
    start();
    busy(3, 1, 2, 0);
    call(0, MPICALL_Put, 3, 5, 6);
    call(0, MPICALL_Win_flush, 3, 10, 41);
    busy(3, 40, 80, 0); /* known only when it is back */
    call(0, MPICALL_Win_flush, 3, 81, 90);
    busy(3, 95, 99, 0); /* came too late to be the reason */
    call(0, MPICALL_Put, 3, 100, 101);
    busy(3, 110, 150, 0);
    call(0, MPICALL_Win_flush_all, RANK_NONE, 105, 151); /* back already */
    call(0, MPICALL_Win_flush_all, RANK_NONE, 160, 161); /* of nothing */
    busy(3, 160, 163, 0);
    finish("0@10 progress 3@40; 0@105 progress 3@110; ");
}

Test(mpiwindows, was_in_mpi_all_the_time)
{
    start();
    call(0, MPICALL_Win_flush, 3, 10, 41);
    busy(3, 5, 80, 0);
    call(0, MPICALL_Win_flush, 3, 90, 95);
    busy(3, 93, 96, 1000); /* a run of polls that began long before */
    for (int64_t at = 100; at < 200; at++)
        busy(3, at, at + 1, 0); /* too many to be kept */
    call(0, MPICALL_Win_flush, 3, 97, 199);
    finish("");
}
