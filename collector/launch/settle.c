/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/settle.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/attach/proc.h"
#include "collector/inspect/account.h"
#include "share/image.h"

#define YOUNG_NS 500000000ll

static const struct timespec a_ms = { 0, 1000000 };

/* How long ago the process began, in ns; LLONG_MAX = it has ended. */
static long long
age(pid_t pid)
{
    u64 start = account_stat_field(pid, STAT_START);
    long long tick = 1000000000ll / sysconf(_SC_CLK_TCK);
    struct timespec now;

    clock_gettime(CLOCK_BOOTTIME, &now);
    return start ? now.tv_sec * 1000000000ll + now.tv_nsec - (long long)start * tick
                 : LLONG_MAX;
}

/* Does the process run the same file as its parent? */
static int
is_parents_program(pid_t pid)
{
    char path[64];
    struct stat own, parents;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    if (stat(path, &own) < 0)
        return 0;
    snprintf(path, sizeof(path), "/proc/%d/exe",
             (int)account_stat_field(pid, STAT_PARENT));
    return stat(path, &parents) == 0 && own.st_dev == parents.st_dev &&
           own.st_ino == parents.st_ino;
}

static int
is_libc(const struct proc_map *map, void *arg)
{
    const char *name = strrchr(map->path, '/');

    (void)arg;
    return name && strncmp(name, "/libc.so", 8) == 0;
}

/* Can the process load the collector, but has not mapped libc yet? */
static int
is_without_libc(pid_t pid)
{
    char path[64], interpreter[IMAGE_LINE];
    enum image_kind kind;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    kind = image_read(fd, path, interpreter);
    close(fd);
    return image_loads(kind) && proc_maps(pid, is_libc, NULL) == 0;
}

void
settle_wait(pid_t pid)
{
    while (age(pid) < YOUNG_NS && (is_parents_program(pid) || is_without_libc(pid)))
        nanosleep(&a_ms, NULL);
}
