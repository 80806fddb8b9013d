/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions with many loops, and tasks, at more places than a thread keeps in mind: it
 * asks for new sums all the time, which fill many chunks. Each depth of the stack is a
 * place of its own. Prints the number of regions, which is that of tasks,
 * and of loops.
 *
 * build: -O1 -g -fopenmp -fno-optimize-sibling-calls
 */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

enum { LOOPS = 20 };

static long sum;

static void
add(void)
{
    __atomic_add_fetch(&sum, 1, __ATOMIC_RELAXED);
}

#define TEXT(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT(__VA_ARGS__))

#define LOOP                                    \
    PRAGMA(omp for schedule(dynamic, 1) nowait) \
    for (int i = 0; i < 2; i++)                 \
        add();
#define LOOP_5 LOOP LOOP LOOP LOOP LOOP

static KEEP void
region(void)
{
#pragma omp parallel num_threads(2)
    {
        LOOP_5 LOOP_5 LOOP_5 LOOP_5
#pragma omp single
        {
#pragma omp task
            add();
        }
    }
}

static KEEP void
deeper(int depth)
{
    region();
    if (depth > 1)
        deeper(depth - 1);
    __asm__ volatile("");
}

int
main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10, depth = argc > 2 ? atoi(argv[2]) : 300;

    for (int i = 0; i < rounds; i++)
        deeper(depth);
    if (sum != (2L * LOOPS + 1) * rounds * depth)
        return 1;
    printf("%d %d\n", rounds * depth, LOOPS * rounds * depth);
    return 0;
}
