/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -g */
/* link: -lpthread */
/*
 * `region-costly quiet|planted DIRECTORY`: 300 steps alike, and in the second case
 * three that cost far more, each for another reason. Prints "WHAT STEP": the number of
 * the step, which each has as its number too, and for the pages "pages COUNT".
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../collector/preload/libcollector.h"

enum {
    STEPS = 300,
    PAGES = 8000,
    PAGE = 4096,
    FILE_STEP = 60,
    TOUCH_STEP = 140,
    LOCK_STEP = 220,
};

static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static volatile unsigned sink;
static char *memory;

static __attribute__((noinline)) void
work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
}

static volatile int asking; /* the step is about to ask for the lock */

/* It has the lock from before the step begins, until that has waited for a while. */
static __attribute__((noinline)) void *
flush(void *arg)
{
    struct timespec held = { 0, 40000000 };

    pthread_mutex_lock(&journal_lock);
    pthread_barrier_wait(&both);
    while (!asking)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    nanosleep(&held, NULL);
    pthread_mutex_unlock(&journal_lock);
    return arg;
}

/* Writes that reach the disk, until it has taken a while. */
static __attribute__((noinline)) void
save(const char *directory)
{
    struct timespec begin, now;
    char name[4096], page[PAGE] = { 1 };
    int fd;

    snprintf(name, sizeof(name), "%s/saved", directory);
    fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        if (write(fd, page, sizeof(page)) != sizeof(page) || fsync(fd) < 0)
            abort();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 +
             (now.tv_nsec - begin.tv_nsec) / 1000000 < 40);
    close(fd);
}

static __attribute__((noinline)) void
load(void)
{
    for (unsigned i = 0; i < PAGES; i++)
        memory[(size_t)i * PAGE] = 1;
}

static void
step(int i, const char *directory)
{
    collector_region_begin("step");
    collector_region_number(i);
    work(20000);
    if (directory && i == FILE_STEP)
        save(directory);
    if (directory && i == TOUCH_STEP)
        load();
    asking = i == LOCK_STEP;
    pthread_mutex_lock(&journal_lock);
    work(20000);
    pthread_mutex_unlock(&journal_lock);
    collector_region_end();
}

int
main(int argc, char **argv)
{
    const char *directory = argc > 2 && !strcmp(argv[1], "planted") ? argv[2] : NULL;
    pthread_t other;

    memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    pthread_barrier_init(&both, NULL, 2);
    for (int i = 0; i < STEPS; i++) {
        if (directory && i == LOCK_STEP) {
            pthread_create(&other, NULL, flush, NULL);
            pthread_barrier_wait(&both);
        }
        step(i, directory);
    }
    if (directory) {
        pthread_join(other, NULL);
        printf("file %d\ntouch %d\nlock %d\npages %d\n", FILE_STEP, TOUCH_STEP,
               LOCK_STEP, PAGES);
    }
    return 0;
}
