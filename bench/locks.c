/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target that locks and unlocks, and prints what that cost.
 *
 *   locks PAIRS DEPTH NESTED THREADS [SHARED]
 *
 * Each of THREADS threads locks and unlocks a mutex PAIRS times, DEPTH calls down,
 * while it holds NESTED others. Each thread has its own mutex; with a fifth argument,
 * all use one. Prints the process's CPU nanoseconds for each pair.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 64, LOCKS = 8 };

static unsigned long pairs, depth, nested;
static int shared;
static struct {
    pthread_mutex_t lock[LOCKS];
} __attribute__((aligned(128))) own[THREADS];

__attribute__((noinline)) static void
work(pthread_mutex_t *lock)
{
    for (unsigned long i = 0; i < nested; i++)
        pthread_mutex_lock(&lock[i + 1]);
    for (unsigned long i = 0; i < pairs; i++) {
        pthread_mutex_lock(lock);
        __asm__ volatile("" : : : "memory");
        pthread_mutex_unlock(lock);
    }
    for (unsigned long i = nested; i-- > 0;)
        pthread_mutex_unlock(&lock[i + 1]);
}

__attribute__((noinline)) static void
descend(pthread_mutex_t *lock, unsigned long level)
{
    if (level == 0)
        work(lock);
    else
        descend(lock, level - 1);
    __asm__ volatile("");
}

static void *
run(void *arg)
{
    descend(own[shared ? 0 : (size_t)arg].lock, depth);
    return NULL;
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
    pthread_t id[THREADS];
    double before = cpu_now();

    pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    depth = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
    nested = argc > 3 ? strtoul(argv[3], NULL, 10) % LOCKS : 0;
    shared = argc > 5;
    threads = threads < THREADS ? threads : THREADS;
    for (unsigned long t = 0; t < THREADS; t++)
        for (int i = 0; i < LOCKS; i++)
            pthread_mutex_init(&own[t].lock[i], NULL);
    for (unsigned long i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, run, (void *)i);
    for (unsigned long i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    printf("%.1f\n", (cpu_now() - before) / (double)(pairs * threads));
    return 0;
}
