/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/alive.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static u64
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

Test(alive, this_process_is)
{
    struct utsname here;

    uname(&here);
    cr_assert(alive((u32)getpid(), now(), here.nodename));
    cr_assert(alive((u32)getpid(), now(), NULL));
    cr_assert_not(alive((u32)getpid(), now(), "another machine"));
    cr_assert_not(alive(0, now(), NULL));
}

Test(alive, an_older_process_of_that_number_was_another)
{
    cr_assert_not(alive((u32)getpid(), 1, NULL));
}

Test(alive, a_zombie_is_not)
{
    pid_t pid = fork();
    siginfo_t info;

    if (pid == 0)
        _exit(0);
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    cr_assert_not(alive((u32)pid, now(), NULL));
    waitpid(pid, NULL, 0);
    cr_assert_not(alive((u32)pid, now(), NULL));
}
