/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 */
/* link: -lpthread */
/*
 * usage: faults ROUNDS THREADS: page faults in known parts, three of four in
 * touch_most(), one of four in touch_rest(), in each thread. Prints how many.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 1000 };

static int rounds;

__attribute__((noinline)) static void
touch_most(volatile char *p, size_t n)
{
    for (size_t i = 0; i < n; i += PAGE)
        p[i] = 1;
}

__attribute__((noinline)) static void
touch_rest(volatile char *p, size_t n)
{
    for (size_t i = 0; i < n; i += PAGE)
        p[i] = 2;
}

static void *
work(void *arg)
{
    size_t bytes = (size_t)PAGE * PAGES, most = bytes / 4 * 3;

    for (int i = 0; i < rounds; i++) {
        char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (p == MAP_FAILED)
            abort();
        madvise(p, bytes, MADV_NOHUGEPAGE);
        touch_most(p, most);
        touch_rest(p + most, bytes - most);
        munmap(p, bytes);
    }
    return arg;
}

int
main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 1;
    pthread_t thread[64];

    rounds = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 1; i < n && i < 64; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < n && i < 64; i++)
        pthread_join(thread[i], NULL);
    printf("%d\n", rounds * n * PAGES);
    return 0;
}
