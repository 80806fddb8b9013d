/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gdb-phases [WAIT]: four times phase(), for a debugger to stop at. Phase N allocates
 * 100 * N blocks, frees them and uses 0.1 s of CPU time, while two threads wait, one
 * with a time limit. With WAIT it says `ready` after phase 1 and waits for a line.
 * Prints `interrupted N`, calls of these threads that a signal ended, and exits with 7.
 */
/* build: -O1 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sem_t end[2];
static volatile int interrupted;
static volatile unsigned long spun;

static void *
waits(void *arg)
{
    sem_t *sem = arg;
    struct timespec until = { .tv_sec = time(NULL) + 600 };

    if ((sem == end ? sem_wait(sem) : sem_timedwait(sem, &until)) && errno == EINTR)
        interrupted++;
    return NULL;
}

__attribute__((noinline)) void
phase(int n)
{
    static void *blocks[400];
    struct timespec ts;
    long until;

    for (int i = 0; i < 100 * n; i++)
        blocks[i] = malloc(64);
    for (int i = 0; i < 100 * n; i++)
        free(blocks[i]);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    until = ts.tv_sec * 1000000000 + ts.tv_nsec + 100000000;
    do {
        for (int i = 0; i < 100000; i++)
            spun++;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    } while (ts.tv_sec * 1000000000 + ts.tv_nsec < until);
}

int
main(int argc, char **argv)
{
    pthread_t thread[2];

    (void)argv;
    for (int i = 0; i < 2; i++) {
        sem_init(&end[i], 0, 0);
        pthread_create(&thread[i], NULL, waits, &end[i]);
    }
    for (int i = 1; i <= 4; i++) {
        phase(i);
        if (i == 1 && argc > 1) {
            puts("ready");
            fflush(stdout);
            (void)getchar();
        }
    }
    for (int i = 0; i < 2; i++) {
        sem_post(&end[i]);
        pthread_join(thread[i], NULL);
    }
    printf("interrupted %d\n", interrupted);
    return 7;
}
