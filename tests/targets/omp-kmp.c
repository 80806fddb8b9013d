/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Clang makes of OpenMP: regions with few and with many arguments, tasks, loops of
 * tasks, and waits, each in a function run_NAME() that has mark_NAME() called, which
 * allocates a block. Prints "NAME CALLS" for each; 1 when a result is wrong.
 *
 * build: name=clang cc=clang -O1 -g -fopenmp -fno-optimize-sibling-calls
 * link: -ldl -fopenmp-version=51
 */
#include <dlfcn.h>
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

/* Tasks that their creator must run at once. */
CONSTRUCT(undeferred)
{
    int sum = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task if (0) shared(sum)
        {
            sum += i;
            mark_undeferred();
        }
    }
    check("undeferred", sum, 45);
}

#if __clang_major__ >= 17
CONSTRUCT(strict)
{
    long sum = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(strict : 10) shared(sum)
    for (int i = 0; i < 70; i++) {
#pragma omp atomic
        sum += i;
        if (i % 10 == 0)
            mark_strict();
    }
    check("strict", sum, 2415);
}
#endif

/* Each team has a first thread of its own, and regions. */
CONSTRUCT(teams)
{
    volatile long a = 1, b = 2, c = 3, d = 4, e = 5;
    long sum = 0;

#pragma omp teams num_teams(2) thread_limit(4) firstprivate(a, b, c, d, e) shared(sum)
    {
        __atomic_add_fetch(&sum, a + b + c + d + e, __ATOMIC_RELAXED);
        mark_teams();
#pragma omp parallel shared(sum)
        {
#pragma omp atomic
            sum += 1;
            mark_teams();
        }
    }
    check("teams", sum, 2 * 15 + calls_teams - 2);
}

/* More threads than libomp lets add to the result by turns. */
CONSTRUCT(reduction)
{
    long sum = 0, product = 1;

#pragma omp parallel num_threads(6) reduction(+ : sum)
    {
        sum += 7;
        mark_reduction();
#pragma omp for reduction(* : product)
        for (int i = 0; i < 6; i++)
            product *= 2;
#pragma omp barrier
    }
    check("reduction", sum, 42);
    check("product", product, 64);
}

/* Each iteration waits for the one before it. */
CONSTRUCT(doacross)
{
    int value[21] = { 1 };

#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
    for (int i = 1; i <= 20; i++) {
#pragma omp ordered depend(sink : i - 1)
        value[i] = value[i - 1] + i;
        mark_doacross();
#pragma omp ordered depend(source)
    }
    check("doacross", value[20], 211);
}

/* What code of LLVM's OpenMPIRBuilder calls for a region with an `if` clause. */
void __kmpc_fork_call_if(void *place, int count, void (*body)(int *, int *, void *),
                         int many, void *data) __attribute__((weak));

static int fork_if_sum;

static void
mark_fork_if_body(int *thread, int *bound, void *data)
{
    void *volatile p = malloc(100);

    (void)thread;
    (void)bound;
    free(p);
    __atomic_add_fetch(&fork_if_sum, *(int *)data, __ATOMIC_RELAXED);
}

static KEEP void
run_fork_if(void)
{
    static struct {
        int reserved, flags, more[2];
        const char *source;
    } place = { .flags = 2, .source = ";omp-kmp.c;run_fork_if;1;1;;" };
    int seven = 7;

    omp_set_num_threads(3);
    __kmpc_fork_call_if(&place, 1, mark_fork_if_body, 1, &seven);
    check("a region if it is true", fork_if_sum, 21);
    __kmpc_fork_call_if(&place, 1, mark_fork_if_body, 0, &seven);
    check("a region if it is false", fork_if_sum, 28);
}

static int
has_fork_if(void)
{
    void *runtime = dlopen("libomp.so.5", RTLD_LAZY | RTLD_NOLOAD);

    return runtime && dlsym(runtime, "__kmpc_fork_call_if");
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
    RUN(undeferred);
#if __clang_major__ >= 17
    RUN(strict);
#endif
    RUN(teams);
    RUN(reduction);
    RUN(doacross);
    if (has_fork_if())
        run_fork_if();
    return wrong;
}
