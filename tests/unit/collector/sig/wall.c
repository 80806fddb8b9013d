/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/wall.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "collector/sig/clock.h"
#include "collector/sig/thread.h"

/* A thread without a file: records are dropped, and counted in its row. */
static struct thread thread;
static struct rec_thread row;
static struct ctl control;

static void
start(void)
{
    memset(&thread, 0, sizeof(thread));
    memset(&row, 0, sizeof(row));
    memset(&control, 0, sizeof(control));
    control.flags = CTL_NO_SPACE;
    space_ctl = &control;
    clock_start(0, NULL); /* ticks are ns */
    thread.row = &row;
    wall_start(1);
    wall_begin(&thread, 0);
}

TestSuite(wall, .init = start);

static void
sleep_ms(long ms)
{
    struct timespec ts = { 0, ms * 1000000 };

    nanosleep(&ts, NULL);
}

/* The account never says more than the thread has lived. */
static void
check_sum(void)
{
    struct wall *w = &thread.wall;
    u64 wall = clock_mono() - w->birth;

    cr_assert_leq(w->told + w->lost, wall);
}

Test(wall, a_wait_is_told_once)
{
    u64 begin = clock_mono();

    sleep_ms(20);
    wall_waited(&thread, MSTATE_SLEEP, clock_mono() - begin, 7);
    cr_assert_geq(thread.wall.told, 19000000);
    cr_assert_eq(row.off_seen, 1);
    cr_assert_eq(row.off_dropped, 1);
    wall_waited(&thread, MSTATE_SLEEP, 5000000000, 7);
    check_sum();
}

Test(wall, run_delay_within_a_wait_is_cut_from_it)
{
    u64 begin, waited;

    /* Beside the wait there is to be no time when others had the processor. */
    do {
        start();
        begin = clock_mono();
        sleep_ms(20);
        row.delay_last = 8000000;
        waited = clock_mono() - begin;
        wall_waited(&thread, MSTATE_IO, waited, 7);
    } while (clock_mono() - thread.wall.birth - waited > 50000);
    cr_assert_eq(thread.wall.delay_told, 8000000);
    cr_assert_geq(thread.wall.told, 19000000);
    check_sum();
}

Test(wall, what_came_before_a_wait_is_not_cut_from_it)
{
    u64 begin, told;

    sleep_ms(20); /* as if it had no processor */
    begin = clock_mono();
    sleep_ms(20);
    row.delay_last = 20000000;
    wall_waited(&thread, MSTATE_LOCK, clock_mono() - begin, 7);
    told = thread.wall.told;
    cr_assert_geq(told, 38000000, "both are told");
    cr_assert_eq(thread.wall.delay_told, 20000000);
    check_sum();
}

Test(wall, a_call_in_progress_explains_its_time)
{
    thread.wall.since = thread.wall.birth;
    sleep_ms(10);
    row.delay_last = 10000000;
    wall_hit(&thread, 3, 0);
    cr_assert_eq(thread.wall.delay_told, 0);
    check_sum();
}

Test(wall, a_hit_tells_what_is_known_by_then)
{
    sleep_ms(10);
    row.delay_last = 6000000;
    control.stopped = 3000000;
    wall_hit(&thread, 3, 0);
    cr_assert_eq(thread.wall.stop_told, 3000000);
    cr_assert_eq(thread.wall.delay_told, 6000000);
    cr_assert_eq(thread.wall.told, 9000000);
}

Test(wall, a_lost_processor_needs_no_news)
{
    volatile unsigned x = 0;
    u64 end = clock_mono() + 20000000;

    wall_hit(&thread, 3, 0); /* settles how often it has slept so far */
    while (clock_mono() < end)
        x++;
    wall_hit(&thread, 3, 0);
    check_sum();
}
