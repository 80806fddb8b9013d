/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -g */
/* link: -lpthread */
/*
 * What happens in regions, for a reader that joins it by thread and time. Prints for
 * each region, without those within it, "PATH KIND VALUE": blocks and bytes allocated,
 * bytes written, locks waited for, ms of CPU time and of waiting.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../collector/preload/libcollector.h"

static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *volatile kept[64];
static int kept_count;

static double
cpu_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static double
wall_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static __attribute__((noinline)) void
allocate(int count, size_t bytes)
{
    for (int i = 0; i < count; i++)
        kept[kept_count++] = malloc(bytes);
}

static __attribute__((noinline)) void
spin(double ms)
{
    for (double end = cpu_ms() + ms; cpu_ms() < end;)
        ;
}

static __attribute__((noinline)) void
put(int fd, int count)
{
    char page[4096];

    memset(page, 'x', sizeof(page));
    for (int i = 0; i < count; i++)
        if (write(fd, page, sizeof(page)) != sizeof(page))
            abort();
}

/* The other thread: it has the lock for a while. */
static void *
flush(void *arg)
{
    struct timespec while_held = { 0, 30000000 };

    (void)arg;
    collector_region_begin("flush");
    pthread_mutex_lock(&journal_lock);
    pthread_barrier_wait(&both);
    nanosleep(&while_held, NULL);
    pthread_mutex_unlock(&journal_lock);
    allocate(2, 500);
    collector_region_end();
    return NULL;
}

static void
load(int fd)
{
    collector_region_begin("load");
    allocate(10, 1000);
    collector_region_begin("parse");
    allocate(5, 2000);
    put(fd, 3);
    spin(150);
    collector_region_next("store");
    put(fd, 2);
    spin(50);
    collector_region_end();
    spin(100);
    collector_region_end();
    printf("load blocks 10\nload bytes 10000\nload/parse blocks 5\n"
           "load/parse bytes 10000\nload/parse written 12288\n"
           "load/store written 8192\n"
           "load cpu 100\nload/parse cpu 150\nload/store cpu 50\n");
}

int
main(int argc, char **argv)
{
    int fd = open(argc > 1 ? argv[1] : "out", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    pthread_t other;
    double begin;

    /* What stdio allocates comes before. */
    printf("begin\n");
    fflush(stdout);
    pthread_barrier_init(&both, NULL, 2);
    allocate(4, 3000);
    load(fd);
    pthread_create(&other, NULL, flush, NULL);
    pthread_barrier_wait(&both);
    collector_region_begin("commit");
    begin = wall_ms();
    pthread_mutex_lock(&journal_lock);
    begin = wall_ms() - begin;
    pthread_mutex_unlock(&journal_lock);
    collector_region_end();
    pthread_join(other, NULL);
    printf("commit waits 1\ncommit waited %.3f\n", begin);
    printf("flush blocks 2\nflush bytes 1000\n");
    return 0;
}
