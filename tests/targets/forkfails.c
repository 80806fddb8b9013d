/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forkfails EXPERIMENT: may make no process any more, tries it in all ways, and tells
 * how many children the launcher of EXPERIMENT waits for: "awaited N". Status 3: it
 * could make one all the same.
 */
/* build: -O1 -g -I@S@/../.. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "share/ctl.h"

enum { NOBODY = 65534 };

static char stack[65536] __attribute__((aligned(64)));

static int
nothing(void *arg)
{
    (void)arg;
    return 0;
}

static void
refused(long pid)
{
    if (pid == 0)
        _exit(0);
    if (pid < 0)
        return;
    waitpid((pid_t)pid, NULL, 0);
    exit(3);
}

int
main(int argc, char **argv)
{
    const struct rlimit none = { 0, 0 };
    const struct ctl *ctl = NULL;
    char path[4096];
    int fd;

    snprintf(path, sizeof(path), "%s/.control", argc > 1 ? argv[1] : ".");
    fd = open(path, O_RDONLY);
    if (fd >= 0)
        ctl = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (!ctl || ctl == MAP_FAILED)
        return 2;
    setrlimit(RLIMIT_NPROC, &none);
    if (geteuid() == 0 && (setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
                           setresuid(NOBODY, NOBODY, NOBODY) < 0))
        return 3;
    refused(fork());
    refused(_Fork());
    refused(clone(nothing, stack + sizeof(stack), SIGCHLD, NULL));
    refused(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    printf("awaited %u\n", __atomic_load_n(&ctl->forks, __ATOMIC_ACQUIRE));
    return 0;
}
