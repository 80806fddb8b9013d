/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads one after the other, each joined by the first while it sleeps: the C library
 * gives them the same pthread_t. Prints how many different ones there were.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4 };

static void *
nap(void *unused)
{
    usleep(20000);
    return unused;
}

int
main(void)
{
    pthread_t first, other;
    int same = 0;

    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&other, NULL, nap, NULL))
            return 1;
        if (!i)
            first = other;
        same += pthread_equal(first, other) != 0;
        pthread_join(other, NULL);
    }
    printf("%d joins, %d of the first pthread_t\n", THREADS, same);
    return 0;
}
