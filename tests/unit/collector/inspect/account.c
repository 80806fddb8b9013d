/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/account.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK 10000000u

Test(account, stat_of_a_name_that_tries_hard)
{
    static const char text[] = "42 (a) R 1 (b) S 1 2 3 4 5 6 700 800 9 10 110 120 130 "
                               "140 20 0 3 0 1 4096 55 0\n";
    struct account_stat stat;

    cr_assert_eq(account_parse_stat(text, TICK, &stat), 0);
    cr_assert(stat.minflt == 700 && stat.cminflt == 800);
    cr_assert(stat.majflt == 9 && stat.cmajflt == 10);
    cr_assert(stat.utime == 1100000000 && stat.stime == 1200000000);
    cr_assert(stat.cutime == 1300000000 && stat.cstime == 1400000000);
    cr_assert(stat.threads == 3 && stat.rss == 55);
}

/* The words of a command line, each behind a bar. */
static const char *
words(const char *text, size_t len)
{
    static char joined[256];
    char copy[128], *args[5];
    size_t count;

    memcpy(copy, text, len);
    count = account_split_args(copy, len, args, ER_COUNT(args) - 1);
    cr_assert_null(args[count]);
    *joined = '\0';
    for (size_t i = 0; i < count; i++) {
        strcat(joined, "|");
        strcat(joined, args[i]);
    }
    return joined;
}

#define WORDS(text) words(text, sizeof(text))

Test(account, words_of_a_command_line)
{
    cr_assert_str_eq(words("", 0), "");
    cr_assert_str_eq(WORDS("ls\0-l\0a b"), "|ls|-l|a b");
    cr_assert_str_eq(WORDS("ls\0\0-l"), "|ls||-l");
    cr_assert_str_eq(WORDS("a\0b\0c\0d\0e\0f"), "|a|b|c|d");
    /* Empty words are the caller's, but behind a title they are what filled it up. */
    cr_assert_str_eq(WORDS("printf\0"), "|printf|");
    cr_assert_str_eq(WORDS("redis-server *:6379\0\0\0"), "|redis-server *:6379");
    cr_assert_str_eq(WORDS("my program\0\0-x"), "|my program||-x");
}

Test(account, stat_that_is_cut)
{
    struct account_stat stat;

    cr_assert_eq(account_parse_stat("", TICK, &stat), -EINVAL);
    cr_assert_eq(account_parse_stat("42 (a)", TICK, &stat), -EINVAL);
    cr_assert_eq(account_parse_stat("42 (a) R 1 2 3", TICK, &stat), -EINVAL);
}

/* Whatever the truth is, the split is within one tick of it and never above total. */
Test(account, split_is_within_a_tick)
{
    for (u64 user = 0; user < 5 * TICK; user += 1234567)
        for (u64 system = 0; system < 5 * TICK; system += 2345678) {
            u64 total = user + system;
            u64 got =
                account_split(total, user / TICK * TICK, system / TICK * TICK, TICK);

            cr_assert(got <= total);
            cr_assert(got < user + TICK && user < got + TICK, "%llu of %llu, %llu",
                      (unsigned long long)got, (unsigned long long)user,
                      (unsigned long long)total);
        }
}

/* A child that burns some CPU and waits to be looked at. */
static pid_t
burner(int grandchild)
{
    pid_t pid = fork();
    struct timespec ts;

    if (pid)
        return pid;
    if (grandchild) {
        pid = burner(0);
        while (waitpid(pid, NULL, 0) < 0)
            ;
    }
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    while (ts.tv_sec == 0 && ts.tv_nsec < 60000000);
    _exit(0);
}

static void
zombie(pid_t pid, struct rusage *rusage)
{
    siginfo_t info;

    cr_assert_eq(syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WNOWAIT, rusage), 0);
}

Test(account, a_zombie_without_children_is_known_wholly)
{
    struct process_use a = { 0 };
    struct rusage rusage;
    pid_t pid = burner(0);

    zombie(pid, &rusage);
    account_close(&a, pid, &rusage);
    cr_assert_geq(a.total, 60000000);
    cr_assert_eq(a.user + a.system, a.total);
    cr_assert_eq(a.use.user + a.use.system, a.total);
    cr_assert_eq(a.use.known, (1u << 11) - 1, "%#x", a.use.known);
    cr_assert_gt(a.use.maxrss, 0);
    cr_assert_eq(a.use.threads, 0);
    waitpid(pid, NULL, 0);
}

Test(account, what_children_used_is_taken_off)
{
    struct process_use a = { 0 };
    struct rusage rusage;
    pid_t pid = burner(1);
    u64 both;

    zombie(pid, &rusage);
    account_close(&a, pid, &rusage);
    both = (u64)(rusage.ru_utime.tv_sec + rusage.ru_stime.tv_sec) * 1000000000u +
           (u64)(rusage.ru_utime.tv_usec + rusage.ru_stime.tv_usec) * 1000u;
    cr_assert_geq(a.total, 60000000);
    cr_assert_geq(both, a.total + 55000000, "the grandchild is in the sum of both");
    cr_assert_eq(a.user + a.system, a.total);
    cr_assert_not(a.use.known & KNOWN_nvcsw);
    cr_assert_not(a.use.known & KNOWN_maxrss);
    waitpid(pid, NULL, 0);
}

Test(account, a_running_process_never_goes_back)
{
    struct process_use a = { 0 };
    u64 user = 0, system = 0;
    pid_t pid = burner(0);

    for (int i = 0; i < 20; i++) {
        account_read(&a, pid, 1);
        cr_assert(a.use.user >= user && a.use.system >= system);
        cr_assert_eq(a.use.user + a.use.system, a.total);
        user = a.use.user;
        system = a.use.system;
        usleep(2000);
    }
    cr_assert(a.use.known & KNOWN_minflt);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

Test(account, nobody_there)
{
    struct process_use a = { 0 };
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    account_read(&a, pid, 1);
    cr_assert_eq(a.use.known, 0);
}

/* A child that nobody has waited for, and then one that is gone. */
static void
ends(int signal, int status, int code, int value)
{
    siginfo_t ended, zombie;
    pid_t pid = fork();
    int fd;

    if (pid == 0) {
        if (signal)
            kill(getpid(), signal);
        _exit(status);
    }
    fd = (int)syscall(SYS_pidfd_open, pid, 0);
    cr_assert_geq(fd, 0);
    cr_assert_eq(waitid(P_PID, (id_t)pid, &zombie, WEXITED | WNOWAIT), 0);
    cr_assert_eq(account_ended(fd, pid, &ended), 1);
    cr_assert(ended.si_code == code && ended.si_status == value);
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
    /* Linux before 6.15 does not tell. */
    if (account_ended(fd, pid, &ended))
        cr_assert(ended.si_code == code && ended.si_status == value);
    close(fd);
}

Test(account, how_a_process_has_ended)
{
    ends(SIGKILL, 0, CLD_KILLED, SIGKILL);
    ends(0, 3, CLD_EXITED, 3);
}
