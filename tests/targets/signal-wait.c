/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for SIGALRM or SIGURG with time limits of many kinds, and prints how each wait
 * ended.
 */
/* build: -O1 -g -w */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>

#define BAD ((void *)8)

static void
tell(const char *what, int result)
{
    printf("%s: %d, %d\n", what, result, result < 0 ? errno : 0);
    fflush(stdout);
}

static void
wait_with(const char *what, const sigset_t *set, time_t sec, long nsec)
{
    struct itimerval soon = { .it_value = { 0, 50000 } }, never = { 0 };
    struct timespec limit = { sec, nsec };
    siginfo_t info;

    setitimer(ITIMER_REAL, &soon, NULL);
    tell(what, sigtimedwait(set, &info, &limit));
    setitimer(ITIMER_REAL, &never, NULL);
    limit = (struct timespec){ 0, 0 };
    sigtimedwait(set, &info, &limit);
}

int
main(void)
{
    struct timespec short_time = { 0, 1000 };
    siginfo_t info;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaddset(&set, SIGURG);
    sigprocmask(SIG_BLOCK, &set, NULL);
    wait_with("a minute", &set, 60, 0);
    wait_with("for ever", &set, LONG_MAX, 0);
    wait_with("for 1000 years", &set, 31557600000, 999999999);
    wait_with("a millisecond", &set, 0, 1000000);
    wait_with("less than nothing", &set, -1, 0);
    wait_with("nanoseconds below 0", &set, 0, -1);
    wait_with("too many nanoseconds", &set, 0, 1000000000);
    tell("a set that is none", sigtimedwait(BAD, &info, &short_time));
    tell("a limit that is none", sigtimedwait(&set, &info, BAD));
    tell("a set that is none, without a limit", sigwaitinfo(BAD, &info));
    tell("a descriptor for a set that is none", signalfd(-1, BAD, 0));
    return 0;
}
