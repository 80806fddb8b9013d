/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Clang makes of OpenMP: regions with few and with many arguments, tasks, loops of
 * tasks, and waits, each in a function run_NAME() that has mark_NAME() called, which
 * allocates a block. Prints "NAME CALLS" for each; 1 when a result is wrong.
 *
 * build: name=clang cc=clang -O1 -g -fopenmp -fno-optimize-sibling-calls
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

#include "omp-construct.h"

CONSTRUCT(few)
{
#pragma omp parallel num_threads(3)
    mark_few();
}

CONSTRUCT(many)
{
    volatile long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10;
    volatile double x = 0.5, y = 0.25;
    long sum = 0;

#pragma omp parallel num_threads(3) firstprivate(a, b, c, d, x) shared(sum, e, f, g, h)
    {
#pragma omp critical(sum) hint(omp_sync_hint_contended)
        sum += a + b + c + d + e + f + g + h + i + j + (long)(4 * x + 4 * y);
        mark_many();
    }
    check("many arguments", sum, 3 * 58);
}

CONSTRUCT(tasks)
{
    long sum = 0, value = 1;

#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(sum)
            {
                mark_tasks();
#pragma omp atomic
                sum += i;
            }
        }
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : value) shared(value)
            {
                value = value * 3 + i;
                mark_tasks();
            }
        }
#pragma omp task depend(inout : value) shared(value) if (0)
        value++;
#pragma omp taskwait
    }
    check("tasks", sum, 190);
    check("tasks in order", value, 73807);
}

CONSTRUCT(taskloop)
{
    long sum = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop num_tasks(7) shared(sum)
    for (int i = 0; i < 70; i++) {
#pragma omp atomic
        sum += i;
        if (i % 10 == 0)
            mark_taskloop();
    }
    check("taskloop", sum, 2415);
}

CONSTRUCT(cancelled)
{
    int sum = 0;

#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic) ordered
        for (int i = 0; i < 9; i++) {
#pragma omp ordered
            sum++;
        }
#pragma omp barrier
        mark_cancelled();
#pragma omp cancel parallel if (sum < 9)
    }
    check("cancelled", sum, 9);
}

#define RUN(name)                              \
    do {                                       \
        run_##name();                          \
        printf(#name " %d\n", calls_##name);   \
    } while (0)

int
main(void)
{
    RUN(few);
    RUN(many);
    RUN(tasks);
    RUN(taskloop);
    RUN(cancelled);
    return wrong;
}
