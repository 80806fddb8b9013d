/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/alive.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum {
    /* the kernel's ticks are coarse: a process may seem to start after its run event */
    SLACK_MS = 1000,
};

static int64_t
clock_ms(clockid_t id)
{
    struct timespec ts = { 0 };

    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/*
 * The start of a process in ms of CLOCK_BOOTTIME, from field 22 of /proc/PID/stat
 * (proc_pid_stat(5)); -1 if the process is gone or a zombie.
 */
static int64_t
start_ms(u32 pid)
{
    char path[40], text[1024];
    const char *p;
    ssize_t len;
    int fd;

    snprintf(path, sizeof(path), "/proc/%u/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    len = read(fd, text, sizeof(text) - 1);
    close(fd);
    text[len > 0 ? len : 0] = 0;
    p = strrchr(text, ')');
    if (!p || p[1] != ' ' || p[2] == 'Z' || p[2] == 'X')
        return -1;
    p++;
    for (int field = 3; field < 22 && p; field++)
        p = strchr(p + 1, ' ');
    if (!p)
        return -1;
    return strtoll(p, NULL, 10) * 1000 / sysconf(_SC_CLK_TCK);
}

bool
alive(u32 pid, u64 mono, const char *host)
{
    int64_t start, asleep = clock_ms(CLOCK_BOOTTIME) - clock_ms(CLOCK_MONOTONIC);
    struct utsname here;

    if (!pid || (host && uname(&here) == 0 && strcmp(host, here.nodename)))
        return false;
    start = start_ms(pid);
    return start >= 0 && start <= (int64_t)(mono / 1000000) + asleep + SLACK_MS;
}
