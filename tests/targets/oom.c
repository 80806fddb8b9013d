/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes memory until there is none, of its own limit (ulimit -v): blocks of all sizes,
 * mappings, threads. Gives it back, and does so again. Ends with 0 and "fine" if each
 * refusal was in good order.
 */
/* build: -O2 -g -fno-builtin */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

enum { BLOCKS = 200000, ROUNDS = 3, THREADS = 200 };

static void *blocks[BLOCKS];

/* Returns how many it got. */
static int
take(void)
{
    int n = 0;

    for (size_t size = 8 << 20; size >= 16; size /= 4)
        while (n < BLOCKS && (blocks[n] = malloc(size))) {
            memset(blocks[n], 1, 16);
            n++;
        }
    if (n < BLOCKS && errno != ENOMEM)
        exit(3);
    return n;
}

static void *
idle(void *arg)
{
    pthread_barrier_wait(arg);
    return NULL;
}

/* As many threads as there is room for, up to a number. */
static void
threads(void)
{
    pthread_barrier_t barrier;
    pthread_t id[THREADS];
    unsigned n;

    /* How many will come is not known before: they wait for all that may. */
    for (n = 0; n < THREADS; n++) {
        pthread_barrier_init(&barrier, NULL, 2);
        if (pthread_create(&id[n], NULL, idle, &barrier))
            break;
        pthread_barrier_wait(&barrier);
        pthread_join(id[n], NULL);
    }
    if (!n)
        fprintf(stderr, "no thread\n");
}

static void
work(int ms)
{
    struct rusage use;
    static volatile unsigned long sink;

    do {
        for (int i = 0; i < 10000; i++)
            sink += (unsigned long)i;
        getrusage(RUSAGE_SELF, &use);
    } while (use.ru_utime.tv_sec * 1000 + use.ru_utime.tv_usec / 1000 < ms);
}

int
main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int n = take();

        work(20 * round + 10);
        if (mmap(NULL, (size_t)1 << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0) != MAP_FAILED)
            return 4;
        if (realloc(NULL, (size_t)1 << 40))
            return 5;
        if (n && realloc(blocks[0], (size_t)1 << 40))
            return 6;
        while (n)
            free(blocks[--n]);
        threads();
    }
    puts("fine");
    return 0;
}
