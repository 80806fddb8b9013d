/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that has libgomp in itself: two threads add numbers up for some 0.3 s of
 * CPU time. Prints the sum.
 *
 * build: -O1 -g -fopenmp
 * link: -Wl,-Bstatic -lgomp -Wl,-Bdynamic
 */
#include <stdio.h>
#include <time.h>

static double
used(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(void)
{
    long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        volatile long mine = 0;

        while (used() < 0.15)
            for (int i = 0; i < 100000; i++)
                mine++;
        sum += mine > 0;
    }
    printf("%ld\n", sum);
    return 0;
}
