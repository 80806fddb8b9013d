/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 */
/*
 * Makes two functions at run time, runs each for a while, called by a function of its
 * own, and says so in /tmp/perf-PID.map only, in one of these ways:
 *
 *   plain   two lines; the second one when its function is made
 *   torn    besides, lines that are none, one far too long, and a last one without end
 *   old     there is an old file that names all of it "stale"; lines are appended
 *   anew    there is one, and it is written anew
 *   link    the file is a symbolic link
 *   fifo    it is a fifo
 *   other   it belongs to another user (for root)
 *   fork    a child does all this
 *   exec    it becomes itself, with the way "plain"
 *
 * Prints the file's name.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made-code.h"

static char path[64];

/* Not alike, lest a compiler makes one of them. */
CALL(first, 0.2)
CALL(second, 0.21)

static unsigned char *
make(unsigned char *at)
{
    return memcpy(at, code, sizeof(code));
}

static void
put(const char *flags, const char *format, void *at)
{
    FILE *f = fopen(path, flags);

    if (!f)
        exit(3);
    fprintf(f, format, (unsigned long)at);
    fclose(f);
}

static void
put_stale(void *at)
{
    const struct timespec times[2] = { { 1000000, 0 }, { 1000000, 0 } };

    put("w", "%lx 1000 stale\n", at);
    if (utimensat(AT_FDCWD, path, times, 0) < 0)
        exit(3);
}

static void
put_torn(void)
{
    FILE *f = fopen(path, "a");

    if (!f)
        exit(3);
    fputs("\nnonsense\n12 \n-1 5 negative\nffffffffffff0000 10 kernel\n", f);
    fputs("0 ffffffffffffffff all\n10 0 nothing\n123456789123456789 1 long\n", f);
    for (int i = 0; i < 200000; i++)
        fputc('1', f);
    fclose(f);
}

/* What is not to be believed. */
static void
put_odd(const char *way, void *at)
{
    if (!strcmp(way, "fifo")) {
        if (mkfifo(path, 0600) < 0)
            exit(3);
        return;
    }
    put("w", "%lx 1000 planted\n", at);
    if (!strcmp(way, "other") && chown(path, 12345, 12345) < 0)
        exit(77);
    if (!strcmp(way, "link")) {
        char there[80];

        snprintf(there, sizeof(there), "%s.there", path);
        if (rename(path, there) < 0 || symlink(there, path) < 0)
            exit(3);
    }
}

static void
run(const char *way)
{
    unsigned char *area = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int odd = !strcmp(way, "link") || !strcmp(way, "fifo") || !strcmp(way, "other");
    int old = !strcmp(way, "old") || !strcmp(way, "anew");
    void *first = make(area + 64), *second = make(area + 512);

    snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
    printf("%s\n", path);
    fflush(stdout);
    unlink(path);
    if (odd)
        put_odd(way, area);
    if (old) {
        put_stale(area);
        burn((void (*)(unsigned))first, 0.3);
    }
    if (!odd)
        put(!strcmp(way, "anew") ? "w" : "a", "%lx a made_first\n", first);
    call_first(first);
    if (!strcmp(way, "torn"))
        put_torn();
    if (!odd)
        put("a", !strcmp(way, "torn") ? "\n%lx a made_second\n" : "%lx a made_second\n",
            second);
    if (!strcmp(way, "torn"))
        put("a", "%lx 1000 torn", area);
    call_second(second);
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "plain";
    int status = 0;

    if (!strcmp(way, "exec")) {
        execl("/proc/self/exe", "perfmap", "plain", (char *)NULL);
        return 3;
    }
    if (strcmp(way, "fork") != 0) {
        run(way);
    } else if (fork() == 0) {
        run("plain");
        _exit(0);
    } else {
        wait(&status);
    }
    return status != 0;
}
