/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses CPU time of known kinds in known parts and tells how much it was.
 *
 *   spin user THREADS SECONDS       user code, SECONDS of CPU time in each thread
 *   spin system SECONDS SHARE       user code and system calls, about SHARE % of these
 *   spin shares SECONDS ROUND_US [THREADS]
 *                                   rounds of ROUND_US: 50 % half(), 30 % third(), 20 %
 *                                   fifth(), by thread CPU time; prints the real shares
 *
 * The last line is "cpu TOTAL user USER system SYSTEM", by getrusage, in seconds.
 */
/* build: -O2 -g -fno-inline */
/* link: -lpthread */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds, round_us, share;
static __thread unsigned long sink;
static double spent[3]; /* in half, third, fifth */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double
now(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double
cpu_now(void)
{
    return now(CLOCK_THREAD_CPUTIME_ID);
}

__attribute__((noinline)) static void
work(unsigned long n)
{
    unsigned long x = sink;

    for (unsigned long i = 0; i < n; i++)
        x = x * 6364136223846793005u + (x >> 7);
    sink = x;
}

static void *
burn(void *arg)
{
    double end = cpu_now() + seconds;

    while (cpu_now() < end)
        work(100000);
    return arg;
}

static void
system_heavy(void)
{
    static char buf[65536];
    int fd = open("/dev/zero", O_RDONLY);
    double user = 0, kernel = 0;

    while (user + kernel < seconds) {
        double a = cpu_now(), b, c;

        for (int i = 0; i < 8; i++)
            if (read(fd, buf, sizeof(buf)) < 0)
                exit(1);
        b = cpu_now();
        kernel += b - a;
        do {
            work(1000);
            c = cpu_now();
        } while (user + (c - b) < (user + kernel + (c - b)) * (1 - share / 100) &&
                 user + kernel + (c - b) < seconds);
        user += c - b;
    }
    close(fd);
}

/*
 * Work until the thread's clock says `until`; returns what it says then. Chunks short
 * beside a round, so that the rounds stay in step.
 */
#define PART(name)                                            \
    __attribute__((noinline)) double name(double until);      \
    __attribute__((noinline)) double name(double until)       \
    {                                                         \
        double t;                                             \
                                                              \
        do {                                                  \
            work(8000);                                       \
            t = cpu_now();                                    \
        } while (t < until);                                  \
        return t;                                             \
    }

PART(half)
PART(third)
PART(fifth)

static void *
rounds(void *arg)
{
    double sum[3] = { 0, 0, 0 }, t = cpu_now(), start = t, length = round_us / 1e6;

    for (long round = 0; t - start < seconds; round++) {
        double begin = start + (double)round * length, a, b;

        if (begin + length < t) /* an interruption: skip rounds, stay in step */
            continue;
        a = half(begin + length * 0.5);
        b = third(begin + length * 0.8);
        sum[0] += a - t;
        sum[1] += b - a;
        t = fifth(begin + length);
        sum[2] += t - b;
    }
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++)
        spent[i] += sum[i];
    pthread_mutex_unlock(&lock);
    return arg;
}

static void
in_threads(void *(*body)(void *), int count)
{
    pthread_t id[64];

    for (int i = 1; i < count; i++)
        pthread_create(&id[i], NULL, body, NULL);
    body(NULL);
    for (int i = 1; i < count; i++)
        pthread_join(id[i], NULL);
}

static void
tell(void)
{
    struct rusage use;
    double total = now(CLOCK_PROCESS_CPUTIME_ID);

    getrusage(RUSAGE_SELF, &use);
    if (spent[0] > 0) {
        double sum = spent[0] + spent[1] + spent[2];

        printf("half %.3f third %.3f fifth %.3f\n", spent[0] / sum * 100,
               spent[1] / sum * 100, spent[2] / sum * 100);
    }
    printf("cpu %.6f user %ld.%06ld system %ld.%06ld\n", total, use.ru_utime.tv_sec,
           use.ru_utime.tv_usec, use.ru_stime.tv_sec, use.ru_stime.tv_usec);
}

int
main(int argc, char **argv)
{
    if (argc >= 4 && !strcmp(argv[1], "user")) {
        seconds = atof(argv[3]);
        in_threads(burn, atoi(argv[2]));
    } else if (argc >= 4 && !strcmp(argv[1], "system")) {
        seconds = atof(argv[2]);
        share = atof(argv[3]);
        system_heavy();
    } else if (argc >= 4 && !strcmp(argv[1], "shares")) {
        seconds = atof(argv[2]);
        round_us = atof(argv[3]);
        in_threads(rounds, argc > 4 ? atoi(argv[4]) : 1);
    } else {
        return 2;
    }
    tell();
    return 0;
}
