/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructs of OpenMP, each in a function run_NAME() whose threads or tasks call
 * mark_NAME(), which allocates a block. Prints "NAME CALLS" for each, and exits with 1
 * when a result is not what it should be.
 *
 * build: -O2 -g -fopenmp -fno-optimize-sibling-calls
 * build: name=debug -O0 -g -fopenmp
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))

#include "omp-construct.h"

CONSTRUCT(parallel)
{
#pragma omp parallel
    mark_parallel();
}

CONSTRUCT(loop_static)
{
    long sum = 0;

#pragma omp parallel for schedule(static, 3) reduction(+ : sum)
    for (int i = 0; i < 50; i++) {
        sum += i;
        mark_loop_static();
    }
    check("static", sum, 1225);
}

#define LOOP(name, kind)                                          \
    CONSTRUCT(name)                                               \
    {                                                             \
        _Pragma(kind) for (int i = 0; i < 50; i++) mark_##name(); \
    }

LOOP(loop_dynamic, "omp parallel for schedule(monotonic : dynamic, 2)")
LOOP(loop_guided, "omp parallel for schedule(monotonic : guided)")
LOOP(loop_runtime, "omp parallel for schedule(monotonic : runtime)")
LOOP(loop_any_dynamic, "omp parallel for schedule(dynamic)")
LOOP(loop_any_guided, "omp parallel for schedule(nonmonotonic : guided)")
LOOP(loop_any_runtime, "omp parallel for schedule(nonmonotonic : runtime)")
LOOP(loop_maybe_runtime, "omp parallel for schedule(runtime)")

CONSTRUCT(sections)
{
#pragma omp parallel sections
    {
#pragma omp section
        mark_sections();
#pragma omp section
        mark_sections();
#pragma omp section
        mark_sections();
    }
}

CONSTRUCT(teams)
{
#pragma omp teams num_teams(3)
    mark_teams();
}

CONSTRUCT(nested)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    mark_nested();
}

/* The data of these are copied, and two threads and a wait are in the way. */
CONSTRUCT(task)
{
    long sum = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
        char text[40];

        snprintf(text, sizeof(text), "%d", i);
#pragma omp task firstprivate(text) shared(sum)
        {
            long n = atol(text);

            mark_task();
#pragma omp atomic
            sum += n;
        }
    }
    check("tasks", sum, 190);
}

CONSTRUCT(task_now)
{
    long sum = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task if (i % 2) shared(sum)
        {
            mark_task_now();
#pragma omp atomic
            sum += i;
        }
    }
    check("tasks, some now", sum, 45);
}

CONSTRUCT(task_depend)
{
    long value = 1;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : value) shared(value)
        {
            value = value * 3 + i;
            mark_task_depend();
        }
    }
    check("tasks in order", value, 73806);
}

CONSTRUCT(task_detach)
{
    long done = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; i++) {
        omp_event_handle_t event;

#pragma omp task detach(event) shared(done)
        {
            mark_task_detach();
#pragma omp atomic
            done++;
            omp_fulfill_event(event);
        }
    }
    check("detached tasks", done, 4);
}

CONSTRUCT(taskloop)
{
    long sum = 0;

#pragma omp parallel
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

CONSTRUCT(taskloop_ull)
{
    unsigned long long sum = 0, from = 1ull << 63;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(5) reduction(+ : sum)
    for (unsigned long long i = from; i < from + 50; i++) {
        sum += i - from;
        if (i % 10 == 0)
            mark_taskloop_ull();
    }
    check("taskloop, unsigned", (long)sum, 1225);
}

CONSTRUCT(reductions)
{
    long sum = 0;

#pragma omp parallel reduction(task, + : sum)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
        {
            sum += i;
            mark_reductions();
        }
    }
    check("reductions by tasks", sum, 45);
}

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

/* All that threads may wait for. */
CONSTRUCT(waits)
{
    long sum = 0, value = 0;

#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 20; i++) {
#pragma omp critical
            sum++;
        }
#pragma omp sections
        {
#pragma omp section
            mark_waits();
#pragma omp section
            mark_waits();
        }
        GOMP_atomic_start();
        sum++;
        GOMP_atomic_end();
#pragma omp barrier
#pragma omp single
        {
#pragma omp taskgroup
            for (int i = 0; i < 5; i++) {
#pragma omp task
                mark_waits();
            }
#pragma omp task depend(out : value) shared(value)
            value = 7;
#pragma omp taskwait depend(in : value)
            sum += value;
        }
    }
    check("waits", sum, 30);
}

CONSTRUCT(cancelled)
{
    int sum = 0;

#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 20; i++) {
            if (i == 3) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
            }
        }
#pragma omp atomic
        sum++;
#pragma omp barrier
        mark_cancelled();
#pragma omp cancel parallel if (sum < 3)
    }
    check("cancelled", sum, 3);
}

/* Each thread forks, and works in the child, too, whose calls nobody counts. */
CONSTRUCT(fork)
{
#pragma omp parallel
    {
        int status = -1;
        pid_t pid = fork();

        if (pid == 0) {
            mark_fork();
            _exit(3);
        }
        waitpid(pid, &status, 0);
        check("a child's status", WEXITSTATUS(status), 3);
        mark_fork();
    }
}

/* What GCC 4.8 made of a region. */
void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_loop_static_start(void (*)(void *), void *, unsigned, long, long,
                                     long, long);
void GOMP_parallel_loop_dynamic_start(void (*)(void *), void *, unsigned, long, long,
                                      long, long);
void GOMP_parallel_loop_guided_start(void (*)(void *), void *, unsigned, long, long,
                                     long, long);
void GOMP_parallel_loop_runtime_start(void (*)(void *), void *, unsigned, long, long,
                                      long);
void GOMP_parallel_sections_start(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_sections_end_nowait(void);

static KEEP void mark_old(void);

static void
old_body(void *data)
{
    mark_old();
    __atomic_add_fetch((int *)data, 1, __ATOMIC_RELAXED);
}

static void
old_loop(void *data)
{
    old_body(data);
    GOMP_loop_end_nowait();
}

static void
old_sections(void *data)
{
    old_body(data);
    GOMP_sections_end_nowait();
}

CONSTRUCT(old)
{
    int count = 0;

    GOMP_parallel_start(old_body, &count, 2);
    old_body(&count);
    GOMP_parallel_end();
    GOMP_parallel_loop_static_start(old_loop, &count, 2, 0, 10, 1, 1);
    old_loop(&count);
    GOMP_parallel_end();
    GOMP_parallel_loop_dynamic_start(old_loop, &count, 2, 0, 10, 1, 1);
    old_loop(&count);
    GOMP_parallel_end();
    GOMP_parallel_loop_guided_start(old_loop, &count, 2, 0, 10, 1, 1);
    old_loop(&count);
    GOMP_parallel_end();
    GOMP_parallel_loop_runtime_start(old_loop, &count, 2, 0, 10, 1);
    old_loop(&count);
    GOMP_parallel_end();
    GOMP_parallel_sections_start(old_sections, &count, 2, 3);
    old_sections(&count);
    GOMP_parallel_end();
    check("old entries", count, 12);
}

#define RUN(name)                              \
    do {                                       \
        run_##name();                          \
        printf(#name " %d\n", calls_##name);   \
    } while (0)

int
main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;

    omp_set_max_active_levels(2);
    while (rounds-- > 1) {
        run_parallel();
        run_loop_dynamic();
    }
    RUN(parallel);
    RUN(loop_static);
    RUN(loop_dynamic);
    RUN(loop_guided);
    RUN(loop_runtime);
    RUN(loop_any_dynamic);
    RUN(loop_any_guided);
    RUN(loop_any_runtime);
    RUN(loop_maybe_runtime);
    RUN(sections);
    RUN(teams);
    RUN(nested);
    RUN(task);
    RUN(task_now);
    RUN(task_depend);
    RUN(task_detach);
    RUN(taskloop);
    RUN(taskloop_ull);
    RUN(reductions);
    RUN(waits);
    RUN(cancelled);
    RUN(fork);
    RUN(old);
    return wrong;
}
