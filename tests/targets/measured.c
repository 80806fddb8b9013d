/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: -O1 -g
 *
 * Does by turns what tracing measures and what it does not see, and prints how much CPU
 * time each took: the same program with and without tracing says what measuring costs.
 *
 * measured heap|io|lock|wait ROUNDS
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int null;
static volatile unsigned long sink;

static double
cpu_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void
use_heap(void)
{
    for (int i = 0; i < 1000; i++) {
        char *block = malloc(100);

        if (block)
            *block = 1;
        __asm__ volatile("" : : "r"(block) : "memory");
        free(block);
    }
}

__attribute__((noinline)) static void
use_lock(void)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        sink++;
        pthread_mutex_unlock(&mutex);
    }
}

__attribute__((noinline)) static void
use_io(void)
{
    for (int i = 0; i < 1000; i++)
        if (write(null, "x", 1) != 1)
            abort();
}

__attribute__((noinline)) static void
compute(void)
{
    for (int i = 0; i < 100000; i++)
        sink = sink * 5 + 1;
}

static void (*
choose(const char *name))(void)
{
    if (!strcmp(name, "heap"))
        return use_heap;
    if (!strcmp(name, "lock"))
        return use_lock;
    return use_io;
}

int
main(int argc, char **argv)
{
    void (*use)(void) = choose(argc > 1 ? argv[1] : "heap");
    int rounds = argc > 2 ? atoi(argv[2]) : 100;
    double used = 0, computed = 0, before, middle, after;

    null = open("/dev/null", O_WRONLY);
    for (int i = 0; i < rounds; i++) {
        before = cpu_time();
        use();
        middle = cpu_time();
        compute();
        after = cpu_time();
        used += middle - before;
        computed += after - middle;
    }
    printf("used %.6f computed %.6f\n", used, computed);
    return 0;
}
