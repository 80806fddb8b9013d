/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/session/delays.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/session/session.h"

static struct recording s;
static struct ctl ctl;
static struct delays d;

static void
up(void)
{
    FILE *f = tmpfile();

    cr_assert_not_null(f);
    s.pid = getpid();
    s.experiment.ctl = &ctl;
    s.experiment.file[FILE_threads] = fileno(f);
    ctl.flags = CTL_ATTACHED;
}

static void
down(void)
{
    delays_close(&d);
}

TestSuite(delays, .init = up, .fini = down);

static struct rec_thread
read_row(u32 at)
{
    struct rec_thread row = { 0 };

    cr_assert_geq(pread(s.experiment.file[FILE_threads], &row, sizeof(row),
                        (off_t)at * ER_THREAD_BYTES), 0);
    return row;
}

static void
write_row(u32 at, const struct rec_thread *row)
{
    cr_assert_eq(pwrite(s.experiment.file[FILE_threads], row, sizeof(*row),
                        (off_t)at * ER_THREAD_BYTES), (ssize_t)sizeof(*row));
    if (ctl.file[FILE_threads].next < (u64)(at + 1) * ER_THREAD_BYTES)
        ctl.file[FILE_threads].next = (u64)(at + 1) * ER_THREAD_BYTES;
}

static void
need_schedstat(void)
{
    if (access("/proc/self/schedstat", R_OK) < 0)
        cr_skip("this kernel does not tell of run delay");
}

/* A child that waits, or is stopped. */
static pid_t
child(int stopped)
{
    pid_t pid = fork();

    if (!pid) {
        pause();
        _exit(0);
    }
    if (stopped) {
        kill(pid, SIGSTOP);
        cr_assert_eq(waitpid(pid, NULL, WUNTRACED), pid);
    }
    return pid;
}

static void
end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

Test(delays, the_more_threads_the_later)
{
    cr_assert_eq(delays_period(0), 100000000);
    cr_assert_eq(delays_period(40), 100000000);
    cr_assert_eq(delays_period(41), 102500000);
    cr_assert_eq(delays_period(4000000), 10000000000000);
}

Test(delays, what_a_thread_waited_goes_into_its_row)
{
    struct rec_thread row = { .id = 1, .tid = (u32)getpid() };

    need_schedstat();
    /* As if much of it had been before: such a row is left alone. */
    write_row(1, &row);
    row.id = 2;
    row.delay_birth = UINT64_MAX / 2;
    write_row(2, &row);
    /* Who comes back from a sleep may have had to wait; now or in a while. */
    for (int i = 0; i < 10000 && !read_row(1).delay_last; i++) {
        usleep(1000);
        delays_read(&d, &s);
    }
    cr_assert_gt(read_row(1).delay_last, 0);
    cr_assert_eq(read_row(2).delay_last, 0);
    cr_assert_eq(d.count, 2);
    cr_assert_eq(ctl.looked, d.since);
}

Test(delays, rows_that_are_not_filled_yet_are_looked_at_again)
{
    struct rec_thread row = { 0 };

    need_schedstat();
    write_row(1, &row);
    delays_read(&d, &s);
    cr_assert_eq(d.count, 1);
    cr_assert_eq(d.thread[0].tid, 0);
    row = (struct rec_thread){ .id = 1, .tid = (u32)getpid() };
    write_row(1, &row);
    delays_read(&d, &s);
    cr_assert_eq(d.count, 1);
    cr_assert_eq(d.thread[0].tid, row.tid);
    /* But not for ever. */
    row = (struct rec_thread){ 0 };
    write_row(2, &row);
    for (int i = 0; i < 99; i++) {
        delays_read(&d, &s);
        cr_assert_eq(d.count, 2);
    }
    delays_read(&d, &s);
    cr_assert_eq(d.count, 1);
}

Test(delays, threads_that_have_ended_are_forgotten)
{
    pid_t gone = child(0);
    struct rec_thread row = { .id = 1, .tid = (u32)gone };

    end(gone);
    write_row(1, &row);
    row = (struct rec_thread){ .id = 2, .tid = (u32)getpid(), .death = 1 };
    write_row(2, &row);
    row = (struct rec_thread){ .id = 3 };
    write_row(3, &row);
    delays_read(&d, &s);
    cr_assert_eq(d.count, 0);
    cr_assert_eq(d.rows, 4);
}

Test(delays, nobody_is_looked_at_before_the_target_has_begun)
{
    struct rec_thread row = { .id = 1, .tid = (u32)getpid() };

    write_row(1, &row);
    ctl.flags = 0;
    delays_read(&d, &s);
    cr_assert_eq(d.since, 0);
    ctl.flags = CTL_ATTACHED;
    s.became = 1;
    delays_read(&d, &s);
    cr_assert_eq(d.since, 0);
}

Test(delays, time_for_which_it_is_stopped)
{
    pid_t pid = child(1);
    u64 first, second;

    s.pid = pid;
    delays_changed(&d, &s); /* before the first look it says nothing */
    cr_assert_eq(d.since, 0);
    delays_read(&d, &s);
    cr_assert_eq(ctl.stopped, 0);
    first = d.since;
    delays_read(&d, &s);
    cr_assert_eq(ctl.stopped, (d.since - first) / 2 * 2);
    /* It goes on, and that is told at once: until now it was stopped. */
    kill(pid, SIGCONT);
    cr_assert_eq(waitpid(pid, NULL, WCONTINUED), pid);
    first = d.since;
    ctl.stopped = 0;
    delays_changed(&d, &s);
    cr_assert_eq(ctl.stopped, (d.since - first) / 2 * 2);
    /* Nobody tells that it is stopped again: half of the time. */
    kill(pid, SIGSTOP);
    cr_assert_eq(waitpid(pid, NULL, WUNTRACED), pid);
    second = d.since;
    ctl.stopped = 0;
    delays_read(&d, &s);
    cr_assert_eq(ctl.stopped, (d.since - second) / 2);
    end(pid);
}

Test(delays, descriptors_are_kept_up_to_a_number)
{
    struct rec_thread row = { .tid = (u32)getpid() };

    need_schedstat();
    for (row.id = 1; row.id <= 300; row.id++)
        write_row(row.id, &row);
    delays_read(&d, &s);
    cr_assert_eq(d.count, 300);
    cr_assert_eq(d.kept, 256);
    delays_read(&d, &s);
    cr_assert_eq(d.count, 300);
    cr_assert_eq(d.kept, 256);
    delays_close(&d);
    cr_assert_eq(d.kept, 0);
    cr_assert_null(d.thread);
}
