/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-kids [SECONDS]: waits for a line; then, by what that begins with,
 *
 *   k  forks a child, which works, becomes this program again and works as that; has
 *      another such program started by posix_spawn(); and waits for both
 *   s  forks a child that works, waits until this process has ended, and works again
 *   f  touches 2048 new pages, and says `faults N`, as the kernel has counted them
 *   x  becomes this program again, which works and then waits for lines as before
 *
 * and says `done`, until there are no lines. `work N` allocates N blocks of 3000 bytes,
 * of which it frees all. A program that finds a variable of the collector's in its
 * environment says `seen NAME`.
 */
/* build: -O2 -g -fno-builtin */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKED = 500, EXECUTED = 700, SPAWNED = 900, BECOME = 1100, BYTES = 3000,
       PAGES = 2048 };

static __attribute__((noinline)) void
work(int blocks)
{
    for (int i = 0; i < blocks; i++)
        free(malloc(BYTES));
}

static char *
number(int n)
{
    static char text[16];

    snprintf(text, sizeof(text), "%d", n);
    return text;
}

static void
make_children(char *self)
{
    char *argv[] = { self, (char[]){ "work" }, number(SPAWNED), NULL };
    pid_t pid;

    if (fork() == 0) {
        work(FORKED);
        execl("/proc/self/exe", self, "work", number(EXECUTED), (char *)NULL);
        _exit(1);
    }
    wait(NULL);
    if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) == 0)
        waitpid(pid, NULL, 0);
}

static void
make_one_that_stays(void)
{
    int end[2];
    char byte;

    if (pipe(end) < 0 || fork())
        return;
    close(end[1]);
    work(FORKED);
    while (read(end[0], &byte, 1) == 1)
        continue;
    work(FORKED);
    _exit(0);
}

static __attribute__((noinline)) void
touch(void)
{
    const size_t bytes = PAGES * 4096;
    volatile char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct rusage before, after;

    if (p == MAP_FAILED)
        return;
    madvise((void *)p, bytes, MADV_NOHUGEPAGE);
    getrusage(RUSAGE_SELF, &before);
    for (size_t i = 0; i < bytes; i += 4096)
        p[i] = 1;
    getrusage(RUSAGE_SELF, &after);
    munmap((void *)p, bytes);
    printf("faults %ld\n", after.ru_minflt - before.ru_minflt);
}

static char
read_line(void)
{
    char first = 0, byte;

    while (read(STDIN_FILENO, &byte, 1) == 1) {
        first = first ? first : byte;
        if (byte == '\n')
            return first;
    }
    return 0;
}

static void
look_at_environment(void)
{
    for (char **e = environ; *e; e++)
        if (!strncmp(*e, "LD_PRELOAD=", 11) || !strncmp(*e, "SP_COLLECTOR", 12))
            printf("seen %s\n", *e);
}

int
main(int argc, char **argv)
{
    char kind;

    setvbuf(stdout, NULL, _IONBF, 0);
    look_at_environment();
    if (argc > 2) {
        work(atoi(argv[2]));
        if (!strcmp(argv[1], "work"))
            return 0;
        puts("done");
    } else {
        puts("ready");
    }
    while ((kind = read_line())) {
        if (kind == 'k')
            make_children(argv[0]);
        if (kind == 's')
            make_one_that_stays();
        if (kind == 'f')
            touch();
        if (kind == 'x')
            execl("/proc/self/exe", argv[0], "again", number(BECOME), (char *)NULL);
        puts("done");
    }
    return 0;
}
