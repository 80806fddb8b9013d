/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: -O2 -fno-optimize-sibling-calls
 * build: name=static -O2 -fno-optimize-sibling-calls -static
 * build: name=pie -O2 -fno-optimize-sibling-calls -static-pie
 * build: name=stripped -O2 -fno-optimize-sibling-calls -static -s
 * link: -lpthread
 *
 * Each thread works in long_work(), short_work() and at the end of a deep recursion,
 * and measures by its own CPU clock how much. Prints the sums in ms, of all threads.
 *
 * usage: outside [THREADS [MS]]      MS: of CPU time, in all
 *        outside exec PROGRAM...     becomes another program
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = 512,
    DEEP = 100,
    ROUNDS = 20, /* the kinds of work take turns */
};

#define KEPT __attribute__((noipa))

static double each; /* ms of a thread */
static double spent[3]; /* ms */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* Looks at the clock seldom: that is work in the kernel. */
KEPT static double
spin(double ms)
{
    double from = now(), to = from + ms;
    volatile double sum = 0;

    while (now() < to)
        for (int i = 0; i < 200000; i++)
            sum += i * 0.5;
    return now() - from;
}

KEPT static double
long_work(double ms)
{
    double done = spin(ms);

    __asm__ volatile("" : "+m"(done));
    return done;
}

KEPT static double
short_work(double ms)
{
    double done = spin(ms);

    __asm__ volatile("" : "+m"(done));
    return done;
}

KEPT static double
deep_work(int depth, double ms)
{
    double done = depth ? deep_work(depth - 1, ms) : spin(ms);

    __asm__ volatile("" : "+m"(done));
    return done;
}

KEPT static void *
work(void *arg)
{
    double done[3] = { 0, 0, 0 }, share = each / ROUNDS / 10;

    for (int i = 0; i < ROUNDS; i++) {
        done[0] += long_work(6 * share);
        done[1] += short_work(share);
        done[2] += deep_work(DEEP, 3 * share);
    }
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++)
        spent[i] += done[i];
    pthread_mutex_unlock(&lock);
    return arg;
}

int
main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t thread[THREADS];

    if (argc > 2 && !strcmp(argv[1], "exec")) {
        execv(argv[2], argv + 2);
        return 1;
    }
    if (threads < 1 || threads > THREADS)
        return 2;
    each = (argc > 2 ? atof(argv[2]) : 500) / threads;
    for (int i = 1; i < threads; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("long %.0f\nshort %.0f\ndeep %.0f\n", spent[0], spent[1], spent[2]);
    return 6;
}
