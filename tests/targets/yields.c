/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: -O1 -g -D_GNU_SOURCE
 * link: -lpthread
 *
 * One function gives up the processor again and again, another computes, by turns, each
 * for SECONDS in all, in ROUNDS; another thread on the same processor does nothing but
 * give it up. Prints the CPU time that each has used by the thread's own clock.
 *
 * yields SECONDS ROUNDS
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;
static volatile int stop;

static double
cpu_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void
yields(double until)
{
    while (cpu_time() < until)
        for (int i = 0; i < 100; i++)
            sched_yield();
}

__attribute__((noinline)) static void
computes(double until)
{
    while (cpu_time() < until)
        for (int i = 0; i < 100000; i++)
            sink = sink * 5 + 1;
}

static void *
other(void *arg)
{
    while (!stop)
        sched_yield();
    return arg;
}

int
main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1, yielded = 0, computed = 0;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    pthread_t thread;
    cpu_set_t set, one;

    /* One processor for both: the last that we may have. */
    sched_getaffinity(0, sizeof(set), &set);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set)) {
            CPU_ZERO(&one);
            CPU_SET(i, &one);
        }
    sched_setaffinity(0, sizeof(one), &one);
    if (pthread_create(&thread, NULL, other, NULL))
        return 1;
    for (int i = 0; i < rounds; i++) {
        double begin = cpu_time(), middle;

        yields(begin + seconds / rounds);
        middle = cpu_time();
        computes(middle + seconds / rounds);
        yielded += middle - begin;
        computed += cpu_time() - middle;
    }
    stop = 1;
    pthread_join(thread, NULL);
    printf("yields %.6f computes %.6f\n", yielded, computed);
    return 0;
}
