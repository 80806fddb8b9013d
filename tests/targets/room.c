/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has its collector write much in a short time: sends itself the signals that its perf
 * clock sends, many more of them.
 *
 *   room fill MB    profile records of about so much
 *   room alone MB   the same, a MB at a time, with the launcher killed, and a call of
 *                   dlsym between
 *   room stop MB    the same with its parent, the launcher, stopped; and then a little
 *                   more with the launcher running again
 *
 * Prints "hits N", or "no clock" when there is none to imitate.
 */
/* build: -O2 -g */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    RECORD_BYTES = 8, /* what one takes, about */
};

static int
find_clock(void)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *e;
    int found = -1;

    while ((e = readdir(dir))) {
        char path[300], what[300];
        ssize_t len;

        snprintf(path, sizeof(path), "/proc/self/fd/%s", e->d_name);
        len = readlink(path, what, sizeof(what) - 1);
        what[len > 0 ? len : 0] = 0;
        if (strstr(what, "perf_event"))
            found = atoi(e->d_name);
    }
    closedir(dir);
    return found;
}

static long
fill(int clock, long mb)
{
    long n = mb * 1000000 / RECORD_BYTES;
    siginfo_t info;

    memset(&info, 0, sizeof(info));
    info.si_signo = SIGURG;
    info.si_code = POLL_IN;
    info.si_fd = clock;
    for (long i = 0; i < n; i++)
        if (syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), SIGURG, &info)) {
            perror("rt_tgsigqueueinfo");
            exit(1);
        }
    return n;
}

int
main(int argc, char **argv)
{
    int clock = find_clock();
    long n;

    if (argc < 3)
        return 2;
    if (clock < 0) {
        printf("no clock\n");
        return 0;
    }
    if (!strcmp(argv[1], "stop"))
        kill(getppid(), SIGSTOP);
    n = 0;
    if (!strcmp(argv[1], "alone")) {
        pid_t launcher = getppid();

        kill(launcher, SIGKILL);
        while (getppid() == launcher)
            usleep(1000);
        for (long mb = atol(argv[2]); mb; mb--) {
            n += fill(clock, 1);
            dlsym(RTLD_DEFAULT, "main");
        }
        printf("hits %ld\n", n);
        return 0;
    }
    n = fill(clock, atol(argv[2]));
    if (!strcmp(argv[1], "stop")) {
        kill(getppid(), SIGCONT);
        usleep(300000);
        n += fill(clock, 1);
    }
    printf("hits %ld\n", n);
    return 0;
}
