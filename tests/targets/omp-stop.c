/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region whose three threads stay each in a function of its own, for a debugger to
 * stop them there, until a signal ends the process.
 *
 * build: -O1 -g -fopenmp -fno-optimize-sibling-calls
 * build: name=clang cc=clang -O1 -g -fopenmp -fno-optimize-sibling-calls
 */
#include <omp.h>
#include <stdio.h>
#include <time.h>

#define KEEP __attribute__((noinline))

static volatile long turns[3];

/* Threads use a part of the time only, so that the machine stays usable. */
static KEEP void
stay(int k)
{
    struct timespec t = { 0, 1000000 };

    for (;;) {
        for (int i = 0; i < 100000; i++)
            turns[k]++;
        nanosleep(&t, NULL);
    }
}

static KEEP void
first(int k)
{
    stay(k);
    __asm__ volatile("");
}

static KEEP void
second(int k)
{
    first(k);
    __asm__ volatile("");
}

static KEEP void
third(int k)
{
    second(k);
    __asm__ volatile("");
}

static KEEP void
run_region(void)
{
#pragma omp parallel num_threads(3)
    {
        int k = omp_get_thread_num();

        if (k == 0)
            first(k);
        else if (k == 1)
            second(k);
        else
            third(k);
    }
    __asm__ volatile("");
}

int
main(void)
{
    run_region();
    return 0;
}
