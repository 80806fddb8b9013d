/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target that allocates and frees, and prints what that cost.
 *
 *   heap-load PAIRS DEPTH LIVE THREADS FAR
 *
 * For each pair, a thread takes one of 64 paths that end DEPTH calls down, frees the
 * oldest of LIVE blocks, and allocates one of random size (16 to 1,039 bytes). Paths
 * separate 6 calls before their end (FAR 0), or at their beginning (FAR 1), so that no
 * two stacks have much in common. Prints the process's CPU nanoseconds for each pair,
 * and the most memory that it had resident, in kB.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define PATHS_BITS 6

static unsigned long pairs, depth, live, far;

struct state {
    void **block;
    unsigned long next;
    unsigned random;
};

static unsigned
next_random(unsigned *state)
{
    unsigned x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static inline __attribute__((always_inline)) void go(struct state *s,
                                                     unsigned long level,
                                                     unsigned path);

#define STEP(name)                                              \
    __attribute__((noinline)) static void name(                 \
        struct state *s, unsigned long level, unsigned path)    \
    {                                                           \
        go(s, level - 1, path >> 1);                            \
        __asm__ volatile("");                                   \
    }

STEP(left)
STEP(right)

__attribute__((noinline)) static void
work(struct state *s)
{
    unsigned long at = s->next++ % live;

    free(s->block[at]);
    s->block[at] = malloc(16 + next_random(&s->random) % 1024);
    __asm__ volatile("");
}

static inline __attribute__((always_inline)) void
go(struct state *s, unsigned long level, unsigned path)
{
    if (level == 0)
        work(s);
    else if (path & 1)
        right(s, level, path);
    else
        left(s, level, path);
    __asm__ volatile("");
}

static void
take_paths(struct state *s, unsigned long level)
{
    for (unsigned long i = 0; i < pairs; i++)
        go(s, level, next_random(&s->random) >> 8 & ((1 << PATHS_BITS) - 1));
}

/* The part that all paths share. */
__attribute__((noinline)) static void
approach(struct state *s, unsigned long level)
{
    if (level == 0)
        take_paths(s, PATHS_BITS);
    else
        approach(s, level - 1);
    __asm__ volatile("");
}

static void *
run(void *arg)
{
    struct state s = { calloc(live, sizeof(void *)), 0,
                       88172645u + (unsigned)(size_t)arg };

    if (far || depth < PATHS_BITS)
        take_paths(&s, depth);
    else
        approach(&s, depth - PATHS_BITS);
    for (unsigned long i = 0; i < live; i++)
        free(s.block[i]);
    free(s.block);
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
    pthread_t id[64];
    double before = cpu_now();
    struct rusage use;

    pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    depth = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
    live = argc > 3 ? strtoul(argv[3], NULL, 10) : 64;
    far = argc > 5 && argv[5][0] == '1';
    if (threads == 1) {
        run(NULL);
    } else {
        for (unsigned long i = 0; i < threads && i < 64; i++)
            pthread_create(&id[i], NULL, run, (void *)i);
        for (unsigned long i = 0; i < threads && i < 64; i++)
            pthread_join(id[i], NULL);
    }
    getrusage(RUSAGE_SELF, &use);
    printf("%.1f %ld\n", (cpu_now() - before) / (double)(pairs * threads),
           use.ru_maxrss);
    return 0;
}
