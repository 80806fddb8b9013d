/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates and works in three threads, and leaves with 5. Built in many ways. With an
 * argument, two of them end by pthread_exit(), for which libc loads a library.
 */
/* build: -O1 -g */
/* build: name=gcc-asan -O1 -g -fsanitize=address */
/* build: name=gcc-tsan -O1 -g -fsanitize=thread */
/* build: name=gcc-tsan-static -O1 -g -fsanitize=thread -static-libtsan */
/* build: name=clang-msan cc=clang -O1 -g -fsanitize=memory */
/* build: name=gcc-ubsan -O1 -g -fsanitize=undefined */
/* build: name=gcc-lsan -O1 -g -fsanitize=leak */
/* build: name=clang-asan cc=clang -O1 -g -fsanitize=address */
/* build: name=clang-tsan cc=clang -O1 -g -fsanitize=thread */
/* build: name=clang-ubsan cc=clang -O1 -g -fsanitize=undefined */
/* build: name=clang-lsan cc=clang -O1 -g -fsanitize=leak */
/* build: name=static -O1 -g -static */
/* link: -lpthread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int sums[3];

static void *
work(void *arg)
{
    struct timespec a, b;
    unsigned *block = malloc(400);
    volatile unsigned sum = 0;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        for (unsigned i = 0; i < 2000; i++) {
            block[i % 100] = i;
            sum += block[i % 100];
        }
        free(malloc(sum % 100 + 1));
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < 40);
    free(block);
    sums[(long)arg] = 1;
    return NULL;
}

static void *
work_and_exit(void *arg)
{
    work(arg);
    pthread_exit(NULL);
}

int
main(int argc, char **argv)
{
    pthread_t threads[2];

    (void)argv;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, argc > 1 ? work_and_exit : work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    work((void *)2);
    printf("%d\n", sums[0] + sums[1] + sums[2]);
    return 5;
}
