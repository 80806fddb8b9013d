/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C++ makes of OpenMP, and what is at its edges, each in a function run_NAME()
 * whose threads or tasks call mark_NAME(), which allocates a block: exceptions, data
 * with constructors, regions before main() and after exit() has begun, orphaned loops,
 * teams that change, and children. Prints "NAME CALLS" for each; 1 when a result is
 * not what it should be.
 *
 * build: -O1 -g -fopenmp -fno-optimize-sibling-calls
 * build: name=clang cc=clang++ -O1 -g -fopenmp -fno-optimize-sibling-calls
 */
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))

static int wrong;

#define CONSTRUCT(name)                            \
    static int calls_##name;                       \
    static KEEP void mark_##name()                 \
    {                                              \
        void *volatile p = malloc(100);            \
                                                   \
        free(p);                                   \
        __atomic_add_fetch(&calls_##name, 1, __ATOMIC_RELAXED); \
    }                                              \
    static KEEP void run_##name()

static void
check(const char *what, long got, long wanted)
{
    if (got == wanted)
        return;
    std::printf("%s: %ld instead of %ld\n", what, got, wanted);
    wrong = 1;
}

CONSTRUCT(early)
{
#pragma omp parallel num_threads(2)
    mark_early();
}

CONSTRUCT(late)
{
#pragma omp parallel num_threads(2)
    mark_late();
}

/* Its marks are printed last of all. */
struct edges {
    edges()
    {
        run_early();
    }
    ~edges()
    {
        run_late();
        std::printf("late %d\n", calls_late);
        std::fflush(stdout);
    }
};

static edges edges;

/* Thrown and caught in the body, by a function that it calls, and in a task. */
static KEEP void
fail(int number)
{
    if (number >= 0)
        throw std::runtime_error("number " + std::to_string(number));
}

CONSTRUCT(thrown)
{
    int caught = 0;

#pragma omp parallel num_threads(3)
    {
        try {
            fail(omp_get_thread_num());
        } catch (const std::runtime_error &) {
            mark_thrown();
#pragma omp atomic
            caught++;
        }
#pragma omp single
        for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(i) shared(caught)
            try {
                fail(i);
            } catch (const std::exception &e) {
                mark_thrown();
#pragma omp atomic
                caught += e.what() == "number " + std::to_string(i);
            }
        }
    }
    check("exceptions", caught, 9);
}

/* An exception leaves a function that has had a region of its own. */
static KEEP void
region_and_fail()
{
#pragma omp parallel num_threads(2)
    mark_thrown();
    fail(7);
}

CONSTRUCT(unwound)
{
#pragma omp parallel num_threads(2)
    {
        try {
            region_and_fail();
        } catch (const std::runtime_error &) {
        }
        mark_unwound();
    }
}

struct counted {
    static int copies, gone;
    long value;

    explicit counted(long v) : value(v) {}
    counted(const counted &other) : value(other.value)
    {
        __atomic_add_fetch(&copies, 1, __ATOMIC_RELAXED);
    }
    ~counted()
    {
        __atomic_add_fetch(&gone, 1, __ATOMIC_RELAXED);
    }
};

int counted::copies, counted::gone;

/* The tasks' data have constructors; untied ones may change threads. */
CONSTRUCT(copied)
{
    long sum = 0;

    {
        counted one(5);
        std::string text = "a text that is too long to stand in the object itself";

#pragma omp parallel num_threads(3)
#pragma omp single
        for (int i = 0; i < 8; i++) {
#pragma omp task untied firstprivate(one, text) shared(sum)
            {
                mark_copied();
#pragma omp taskyield
#pragma omp atomic
                sum += one.value + (long)text.size();
            }
        }
    }
    check("copied data", sum, 8 * (5 + 53));
    check("copies that are gone", counted::gone, counted::copies + 1);
}

static KEEP long
orphaned(int n)
{
    static long sum;

#pragma omp single
    sum = 0;
#pragma omp for reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < n; i++)
        sum += i;
    long result = sum;

#pragma omp barrier
    return result;
}

/* A loop in a function that knows no region; without one, and without work. */
CONSTRUCT(orphans)
{
    int fits = 0;

    check("an orphan alone", orphaned(10), 45);
#pragma omp parallel num_threads(3) reduction(+ : fits)
    {
        fits += orphaned(10) == 45;
        fits += orphaned(0) == 0;
#pragma omp for schedule(guided) nowait
        for (int i = 5; i < 5; i++)
            fits = -100;
        mark_orphans();
    }
    check("orphans", fits, 6);
}

CONSTRUCT(changed)
{
    static const int threads[] = { 2, 4, 1, 3, 1, 2 };

    for (int n : threads) {
#pragma omp parallel num_threads(n)
        mark_changed();
    }
}

/* A child that was forked outside of regions has its own; the parent goes on. */
CONSTRUCT(children)
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
#pragma omp parallel num_threads(1)
        mark_children();
        _exit(calls_children == 1 ? 3 : 4);
    }
    waitpid(pid, &status, 0);
    check("a child's status", WEXITSTATUS(status), 3);
    calls_children += WEXITSTATUS(status) == 3;
#pragma omp parallel num_threads(3)
    mark_children();
}

#define RUN(name)                                 \
    do {                                          \
        run_##name();                             \
        std::printf(#name " %d\n", calls_##name); \
    } while (0)

int
main()
{
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    std::printf("early %d\n", calls_early);
    RUN(unwound);
    calls_thrown = 0;
    RUN(thrown);
    RUN(copied);
    RUN(orphans);
    RUN(changed);
    std::fflush(stdout);
    RUN(children);
    return wrong;
}
