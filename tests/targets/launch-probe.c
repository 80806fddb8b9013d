/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells what a program started by collect sees of the world, and behaves as told:
 *
 *   status N | signal N | env | fds | dispositions | burn MS | child MS
 *   | listen SIGNAL... | sleep MS
 *   | take EXPERIMENT FILE SEGMENTS: take so much space as the collector would, and
 *     print "took N flags F" when that is done or recording has ended
 *   | look EXPERIMENT: map code of no file, print "code ADDRESS", have the launcher
 *     look at the mappings, twice
 *
 * build: -O2 -g -I@S@/../..
 * build: name=static -O2 -static -I@S@/../..
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "share/chunk.h"
#include "share/ctl.h"

extern char **environ;

static void
show_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *entry;
    char path[300], link[512];

    while ((entry = readdir(dir))) {
        ssize_t len;

        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(dir))
            continue;
        snprintf(path, sizeof(path), "/proc/self/fd/%s", entry->d_name);
        len = readlink(path, link, sizeof(link) - 1);
        printf("%s %.*s\n", entry->d_name, (int)(len > 0 ? len : 0), link);
    }
    closedir(dir);
}

static void
show_dispositions(void)
{
    sigset_t mask;
    struct rlimit limit;

    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int sig = 1; sig < NSIG; sig++) {
        struct sigaction action;

        if (sigaction(sig, NULL, &action) == 0)
            printf("signal %d %s%s\n", sig,
                   action.sa_handler == SIG_IGN   ? "ignored"
                   : action.sa_handler == SIG_DFL ? "default"
                                                  : "handled",
                   sigismember(&mask, sig) ? " blocked" : "");
    }
    for (int i = 0; i < RLIM_NLIMITS; i++)
        if (getrlimit(i, &limit) == 0)
            printf("limit %d %llu %llu\n", i, (unsigned long long)limit.rlim_cur,
                   (unsigned long long)limit.rlim_max);
    printf("umask %o\n", umask(0));
}

static long
cpu_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void
burn(long ms)
{
    struct rusage use;

    while (cpu_ms() < ms)
        ;
    getrusage(RUSAGE_SELF, &use);
    printf("cpu %.6f\n",
           (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
               (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6);
}

static volatile sig_atomic_t told_to_stop;

static void
nap(long ms)
{
    struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

    while (nanosleep(&ts, &ts) < 0)
        ;
}

static void
note_signal(int sig)
{
    char line[] = "got 00\n";

    line[4] = (char)('0' + sig / 10);
    line[5] = (char)('0' + sig % 10);
    (void)!write(1, line, 7);
    told_to_stop |= sig == SIGTERM;
}

/* Listens to each named signal; ends at SIGTERM. */
static void
listen_to(char **names)
{
    for (; *names; names++)
        signal(atoi(*names), note_signal);
    signal(SIGTERM, note_signal);
    (void)!write(1, "ready\n", 6);
    while (!told_to_stop)
        nap(1);
}

/* One segment, once it is reserved. Returns 0 when recording has ended. */
static int
take_segment(struct ctl *ctl, struct ctl_file *file)
{
    while (__atomic_load_n(&file->next, __ATOMIC_ACQUIRE) + ER_SEGMENT >
           __atomic_load_n(&file->reserved, __ATOMIC_ACQUIRE)) {
        if (__atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE) & (CTL_NO_SPACE | CTL_LIMIT))
            return 0;
        __atomic_fetch_or(&ctl->want, WANT_SPACE, __ATOMIC_ACQ_REL);
        syscall(SYS_futex, &ctl->want, FUTEX_WAKE, 1, NULL, NULL, 0);
        nap(1);
    }
    __atomic_fetch_add(&file->next, ER_SEGMENT, __ATOMIC_ACQ_REL);
    return 1;
}

static struct ctl *
map_control(const char *experiment)
{
    char path[PATH_MAX];
    void *ctl;
    int fd;

    snprintf(path, sizeof(path), "%s/.control", experiment);
    fd = open(path, O_RDWR);
    ctl = mmap(NULL, sizeof(struct ctl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ctl == MAP_FAILED) {
        perror(path);
        exit(1);
    }
    return ctl;
}

static void
look(const char *experiment)
{
    struct ctl *ctl = map_control(experiment);
    void *code =
        mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    printf("code %p\n", code);
    for (int i = 0; i < 2; i++) {
        __atomic_fetch_or(&ctl->want, WANT_MAP, __ATOMIC_ACQ_REL);
        syscall(SYS_futex, &ctl->want, FUTEX_WAKE, 1, NULL, NULL, 0);
        nap(300);
    }
}

static void
take_space(const char *experiment, const char *name, long segments)
{
    struct ctl *ctl = map_control(experiment);
    long taken = 0;
    int file = !strcmp(name, "frameinfo") ? FILE_frameinfo : FILE_profile;

    while (taken < segments && take_segment(ctl, &ctl->file[file]))
        taken++;
    /* Time for -L to look. */
    nap(300);
    printf("took %ld flags %u\n", taken, ctl->flags);
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!strcmp(what, "status"))
        return (int)n;
    if (!strcmp(what, "signal"))
        raise((int)n);
    else if (!strcmp(what, "env"))
        for (char **e = environ; *e; e++)
            puts(*e);
    else if (!strcmp(what, "fds"))
        show_fds();
    else if (!strcmp(what, "dispositions"))
        show_dispositions();
    else if (!strcmp(what, "burn"))
        burn(n);
    else if (!strcmp(what, "child") && fork() == 0)
        burn(n);
    else if (!strcmp(what, "child"))
        wait(NULL);
    else if (!strcmp(what, "listen"))
        listen_to(argv + 2);
    else if (!strcmp(what, "sleep"))
        nap(n);
    else if (!strcmp(what, "look") && argc > 2)
        look(argv[2]);
    else if (!strcmp(what, "take") && argc > 4)
        take_space(argv[2], argv[3], atol(argv[4]));
    return 0;
}
