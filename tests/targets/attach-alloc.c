/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-alloc THREADS: allocates, checks and frees without a pause in each thread, and
 * now and then makes a short thread, until a line comes on its standard input. The
 * last line is `rounds N threads N wrong N cpu SECONDS`.
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 256, MOST = 32, OFTEN = 4096 };

struct worker {
    unsigned long rounds, wrong, made;
    unsigned seed;
};

static volatile int over;

static void *
short_lived(void *arg)
{
    free(malloc(100));
    return arg;
}

static int
is_wrong(const char *p, size_t bytes, char expected)
{
    for (size_t i = 0; i < bytes; i += 16)
        if (p[i] != expected)
            return 1;
    return 0;
}

static __attribute__((noinline)) void
churn(struct worker *w, char **block, size_t *bytes)
{
    unsigned i = (w->seed >> 16) % BLOCKS;

    w->seed = w->seed * 1103515245 + 12345;
    if (block[i])
        w->wrong += (unsigned long)is_wrong(block[i], bytes[i], (char)i);
    free(block[i]);
    bytes[i] = 16 + (w->seed >> 8) % 2000;
    block[i] = malloc(bytes[i]);
    memset(block[i], (char)i, bytes[i]);
    if (!(w->seed >> 20 & 15)) {
        block[i] = realloc(block[i], bytes[i] * 2);
        w->wrong += (unsigned long)is_wrong(block[i], bytes[i], (char)i);
    }
    w->rounds++;
}

static void *
work(void *arg)
{
    struct worker *w = arg;
    char *block[BLOCKS] = { NULL };
    size_t bytes[BLOCKS] = { 0 };
    pthread_t thread;

    while (!over) {
        churn(w, block, bytes);
        if (w->rounds % (OFTEN * 16) == 0 &&
            !pthread_create(&thread, NULL, short_lived, NULL)) {
            pthread_join(thread, NULL);
            w->made++;
        }
    }
    for (int i = 0; i < BLOCKS; i++)
        free(block[i]);
    return NULL;
}

static void *
listen_for_end(void *arg)
{
    char line[16];

    (void)!read(STDIN_FILENO, line, sizeof(line));
    over = 1;
    return arg;
}

int
main(int argc, char **argv)
{
    static struct worker worker[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 1;
    unsigned long rounds = 0, wrong = 0, made = 0;
    pthread_t thread[MOST], ear;
    struct timespec cpu;

    for (int i = 0; i < n; i++)
        worker[i].seed = (unsigned)i + 7;
    pthread_create(&ear, NULL, listen_for_end, NULL);
    for (int i = 1; i < n; i++)
        pthread_create(&thread[i], NULL, work, &worker[i]);
    puts("ready");
    fflush(stdout);
    work(&worker[0]);
    for (int i = 1; i < n; i++)
        pthread_join(thread[i], NULL);
    pthread_join(ear, NULL);
    for (int i = 0; i < n; i++) {
        rounds += worker[i].rounds;
        wrong += worker[i].wrong;
        made += worker[i].made;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    printf("rounds %lu threads %lu wrong %lu cpu %ld.%03ld\n", rounds, made, wrong,
           (long)cpu.tv_sec, cpu.tv_nsec / 1000000);
    return 0;
}
