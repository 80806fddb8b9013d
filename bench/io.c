/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target that does small I/O, and prints what that cost.
 *
 *   io-load CALLS DEPTH WHAT THREADS
 *
 * Each thread makes CALLS calls, DEPTH calls down: write (a byte to /dev/null), read (a
 * byte of /dev/zero), fwrite (16 bytes), putc, open (and close: both count as one call)
 * or stat. Prints the process's CPU nanoseconds for each call.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static unsigned long calls, depth;
static const char *what;
static int null_fd, zero_fd;

static void
must(int condition)
{
    if (!condition)
        exit(1);
}

__attribute__((noinline)) static void
work(FILE *stream)
{
    char c[16] = { 0 };
    struct stat st;
    int kind = strcmp(what, "fwrite") ? what[0] : 'f';

    for (unsigned long i = 0; i < calls; i++) {
        int fd;

        switch (kind) {
        case 'w':
            must(write(null_fd, c, 1) == 1);
            break;
        case 'r':
            must(read(zero_fd, c, 1) == 1);
            break;
        case 'f':
            must(fwrite(c, 1, 16, stream) == 16);
            break;
        case 'p':
            must(fputc('x', stream) == 'x');
            break;
        case 'o':
            must((fd = open("/dev/null", O_WRONLY)) >= 0 && close(fd) == 0);
            break;
        default:
            must(stat("/dev/null", &st) == 0);
        }
    }
}

__attribute__((noinline)) static void
go(unsigned long level, FILE *stream)
{
    if (level == 0)
        work(stream);
    else
        go(level - 1, stream);
    __asm__ volatile("");
}

static void *
run(void *arg)
{
    FILE *stream = fopen("/dev/null", "w");

    must(stream != NULL);
    go(depth, stream);
    fclose(stream);
    return arg;
}

static double
cpu_now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

int
main(int argc, char **argv)
{
    unsigned long threads = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
    pthread_t id[64];
    double before = cpu_now();

    calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    depth = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
    what = argc > 3 ? argv[3] : "write";
    null_fd = open("/dev/null", O_WRONLY);
    zero_fd = open("/dev/zero", O_RDONLY);
    for (unsigned long i = 1; i < threads && i < 64; i++)
        pthread_create(&id[i], NULL, run, NULL);
    run(NULL);
    for (unsigned long i = 1; i < threads && i < 64; i++)
        pthread_join(id[i], NULL);
    printf("%.1f\n", (cpu_now() - before) / (double)(calls * threads));
    return 0;
}
