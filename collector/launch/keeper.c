/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "collector/launch/requester.h"
#include "collector/launch/family.h"
#include "collector/launch/regions.h"
#include "collector/launch/serve.h"
#include "collector/launch/signals.h"

/*
 * Close the descriptors that collect has inherited, which are those without
 * close-on-exec: a process that waits for the end of an inherited pipe must not wait
 * for the keeper.
 */
static void
close_inherited(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        int fd = atoi(entry->d_name);

        if (fd > STDERR_FILENO && !(fcntl(fd, F_GETFD) & FD_CLOEXEC))
            close(fd);
    }
    if (dir)
        closedir(dir);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
        (void)dup2(null, fd);
    if (null > STDERR_FILENO)
        close(null);
}

/*
 * Close the keeper's copies of the founder's files. collect, the keeper's parent, has
 * its own copies, and finishes the founder's experiment.
 */
static void
leave_founder(struct recording *s)
{
    struct expdir *e = &s->experiment;

    s->over = 1;
    counter_end_totals(&s->counters);
    close(e->log);
    close(e->map);
    e->log = e->map = -1;
    for (int i = 0; i < FILE_COUNT; i++) {
        if (e->file[i] >= 0)
            close(e->file[i]);
        e->file[i] = -1;
    }
}

/*
 * Do the keeper's work, up to its end, and then call last(). parent: read end of a pipe
 * whose other end is closed when collect ends, after it has written the archive.
 */
static void
keep(struct recording *s, int parent, void (*last)(struct recording *s))
{
    char byte;

    (void)setsid();
    (void)!chdir("/");
    close_inherited();
    leave_founder(s);
    requester_continue();
    regions_continue(&s->regions);
    signals_serve_attached(&s->experiment.ctl->want);
    serve_descendants(s);
    family_end(s->family);
    while (read(parent, &byte, 1) < 0 && errno == EINTR)
        ;
    last(s);
}

int
keeper_start(struct recording *s, void (*last)(struct recording *s))
{
    int parent[2], error;
    pid_t pid;

    if (pipe2(parent, O_CLOEXEC) < 0)
        return -errno;
    family_settle_threads(s->family);
    pid = fork();
    error = errno;
    if (pid == 0) {
        close(parent[1]);
        keep(s, parent[0], last);
        _exit(0);
    }
    close(parent[0]);
    if (pid < 0) {
        close(parent[1]);
        return -error;
    }
    /* The pipe's other end stays open as long as this process (collect) runs. */
    __atomic_store_n(&s->experiment.ctl->launcher, (u32)pid, __ATOMIC_RELEASE);
    return pid;
}
