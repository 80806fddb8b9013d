/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* link: -lpthread */
/*
 * spans MS: for so long, at the same time, one thread computes, one sleeps, one waits
 * for a lock, one reads a pipe that nobody writes to, and main waits for them. "NAME
 * SECONDS" by each one's own clock.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipes[2];
static double length;

static double
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void
sleep_for(double seconds)
{
    struct timespec ts = { (time_t)seconds,
                           (long)((seconds - (double)(time_t)seconds) * 1e9) };

    nanosleep(&ts, NULL);
}

static void
compute(void)
{
    volatile unsigned sum = 0;

    for (double end = now() + length; now() < end;)
        for (unsigned i = 0; i < 1000; i++)
            sum += i;
}

static void
nap(void)
{
    sleep_for(length);
}

static void
take_lock(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void
read_pipe(void)
{
    char c;

    if (read(pipes[0], &c, 1) != 1)
        abort();
}

static const struct act {
    const char *name;
    void (*run)(void);
} acts[] = {
    { "compute", compute },
    { "nap", nap },
    { "take_lock", take_lock },
    { "read_pipe", read_pipe },
};

static double took[4];

static void *
run(void *arg)
{
    size_t i = (size_t)arg;
    double begin = now();

    acts[i].run();
    took[i] = now() - begin;
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t thread[4];

    length = (argc > 1 ? atoi(argv[1]) : 1000) / 1e3;
    if (pipe(pipes))
        return 1;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, run, (void *)i))
            return 1;
    sleep_for(length);
    pthread_mutex_unlock(&lock);
    if (write(pipes[1], "", 1) != 1)
        return 1;
    for (size_t i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    for (size_t i = 0; i < 4; i++)
        printf("%s %.6f\n", acts[i].name, took[i]);
    return 0;
}
