/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worksharing loops of known time: each iteration sleeps, and reads the clock. Prints a
 * line for each:
 *
 *   LINE schedule count threads iterations elapsed work imbalance save
 *
 * with times in us, from the source's line on; two loops may be in one line. Static
 * loops GCC shares out without a call: only their barrier is known, if they have one.
 *
 * build: -O1 -g -fopenmp -fno-optimize-sibling-calls
 * build: name=clang cc=clang -O1 -g -fopenmp -fno-optimize-sibling-calls
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define KEEP __attribute__((noinline))

enum { THREADS = 3, ROUNDS = 2 };

typedef unsigned int uint;
typedef unsigned long ulong;

static double elapsed, work, imbalance, save;
static int count, iterations;

static struct {
    double begin, end, waited;
    int iterations;
} my[THREADS];

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static KEEP void
begin(void)
{
    int i = omp_get_thread_num();

    my[i].iterations = 0;
    my[i].waited = 0;
    my[i].begin = my[i].end = now();
}

static KEEP void
iteration(int number)
{
    struct timespec t = { 0, (number % 4 + 1) * 3000000L };
    int i = omp_get_thread_num();

    nanosleep(&t, NULL);
    my[i].iterations++;
    my[i].end = now();
}

/* In an ordered section. */
static KEEP void
turn(void)
{
    int i = omp_get_thread_num();
    double since = my[i].end;

    my[i].end = now();
    my[i].waited += my[i].end - since;
}

static KEEP void
end(void)
{
    double first = my[0].begin, last = my[0].end, all = 0, most = 0;

    for (int i = 0; i < THREADS; i++) {
        double own = my[i].end - my[i].begin - my[i].waited;

        first = my[i].begin < first ? my[i].begin : first;
        last = my[i].end > last ? my[i].end : last;
        most = own > most ? own : most;
        all += own;
        iterations += my[i].iterations;
    }
    count++;
    elapsed += last - first;
    work += all;
    imbalance += THREADS * most - all;
    save += most - all / THREADS;
}

static void
report(int line, const char *schedule)
{
    printf("%d %s %d %d %d %.0f %.0f %.0f %.0f\n", line, schedule, count, THREADS,
           iterations, elapsed, work, imbalance, save);
    elapsed = work = imbalance = save = 0;
    count = iterations = 0;
}

#define TEXT(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT(__VA_ARGS__))

/* The compiler does not know how many there are, and that the region ends. */
static volatile int nothing;

static KEEP void
pass(void)
{
    __asm__ volatile("");
}

#define LOOP(name, type, from, less, to, step, by, ...)              \
    enum { line_##name = __LINE__ };                                 \
    static KEEP void loop_##name(void)                               \
    {                                                                \
        type first = from + (type)nothing, last = to + (type)nothing; \
                                                                     \
        PRAGMA(omp parallel)                                         \
        {                                                            \
            begin();                                                 \
            PRAGMA(omp for __VA_ARGS__)                              \
            for (type i = first; i less last; i step by)             \
                iteration((int)i);                                   \
            pass();                                                  \
        }                                                            \
        end();                                                       \
    }

#define LOOPS(name, ...)                                       \
    LOOP(name##_long, long, 0, <, 9, +=, 1, __VA_ARGS__)       \
    LOOP(name##_ulong, ulong, 20, >, 4, -=, 2, __VA_ARGS__)

/* The same with `ordered`. */
#define ORDERED(name, type, ...)                               \
    enum { line_##name = __LINE__ };                           \
    static KEEP void loop_##name(void)                         \
    {                                                          \
        int last = -1, wrong = 0;                              \
        type till = 9 + (type)nothing;                         \
                                                               \
        PRAGMA(omp parallel)                                   \
        {                                                      \
            begin();                                           \
            PRAGMA(omp for ordered __VA_ARGS__)                \
            for (type i = 0; i < till; i++) {                  \
                iteration((int)i);                             \
                PRAGMA(omp ordered)                            \
                {                                              \
                    turn();                                    \
                    wrong |= (int)i != last + 1;               \
                    last = (int)i;                             \
                }                                              \
            }                                                  \
        }                                                      \
        if (wrong || last != 8)                                \
            printf("loop_" #name " has another order\n");      \
        end();                                                 \
    }

#define ORDERED_LOOPS(name, ...)               \
    ORDERED(name##_long, long, __VA_ARGS__)    \
    ORDERED(name##_ulong, ulong, __VA_ARGS__)

LOOPS(dynamic, schedule(monotonic : dynamic, 2))
LOOPS(guided, schedule(monotonic : guided))
LOOPS(any_dynamic, schedule(dynamic))
LOOPS(any_guided, schedule(nonmonotonic : guided))
LOOPS(runtime, schedule(monotonic : runtime))
LOOPS(any_runtime, schedule(nonmonotonic : runtime))
LOOPS(maybe_runtime, schedule(runtime))
ORDERED_LOOPS(ordered_static, schedule(static, 1))
ORDERED_LOOPS(ordered_dynamic, schedule(dynamic, 1))
ORDERED_LOOPS(ordered_guided, schedule(guided))
ORDERED_LOOPS(ordered_runtime, schedule(runtime))

/* Without the barrier, in other widths, and in steps that do not fit the end. */
LOOP(nowait, int, 0, <, 20, +=, 3, schedule(dynamic, 1) nowait)
LOOP(odd, uint, 3, <, 20, +=, 5, schedule(dynamic, 1))
LOOP(static_int, int, 0, <, 10, +=, 1, schedule(static))
LOOP(static_uint, uint, 1, <, 20, +=, 3, schedule(static, 2))
LOOP(static_long, long, 9, >, -3, -=, 1, schedule(static, 1))
LOOP(static_ulong, ulong, 0, <, 7, +=, 1, )

/* A loop and sections that are all of their region. */
enum { line_combined = __LINE__ };

static KEEP void
loop_combined(void)
{
    for (int i = 0; i < THREADS; i++) {
        my[i].iterations = 0;
        my[i].waited = 0;
        my[i].begin = my[i].end = now();
    }
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < 18; i += 2)
        iteration(i);
    end();
}

enum { line_sections = __LINE__ };

static KEEP void
loop_sections(void)
{
#pragma omp parallel
    {
        begin();
#pragma omp sections
        {
#pragma omp section
            iteration(1);
#pragma omp section
            iteration(3);
#pragma omp section
            iteration(0);
#pragma omp section
            iteration(0);
        }
        pass();
    }
    end();
}

enum { line_sections_nowait = __LINE__ };

static KEEP void
loop_sections_nowait(void)
{
#pragma omp parallel
    {
        begin();
#pragma omp sections nowait
        {
#pragma omp section
            iteration(1);
#pragma omp section
            iteration(3);
        }
    }
    end();
}

#ifdef __clang__
enum { CLANG = 1 };
#else
enum { CLANG = 0 };
#endif

#define RUN(name, schedule)                \
    do {                                   \
        for (int i = 0; i < ROUNDS; i++)   \
            loop_##name();                 \
        report(line_##name, schedule);     \
    } while (0)

#define RUN_BOTH(name, schedule)           \
    do {                                   \
        RUN(name##_long, schedule);        \
        RUN(name##_ulong, schedule);       \
    } while (0)

int
main(void)
{
    const char *fixed = CLANG ? "static" : "<barrier>";
    const char *sections = CLANG ? "static" : "sections";

    omp_set_dynamic(0);
    omp_set_num_threads(THREADS);
    omp_set_schedule(omp_sched_dynamic, 1);
    RUN_BOTH(dynamic, "dynamic");
    RUN_BOTH(guided, "guided");
    RUN_BOTH(any_dynamic, "dynamic");
    RUN_BOTH(any_guided, "guided");
    RUN_BOTH(runtime, "runtime");
    RUN_BOTH(any_runtime, "runtime");
    RUN_BOTH(maybe_runtime, "runtime");
    RUN_BOTH(ordered_static, "static");
    RUN_BOTH(ordered_dynamic, "dynamic");
    RUN_BOTH(ordered_guided, "guided");
    RUN_BOTH(ordered_runtime, "runtime");
    RUN(nowait, "dynamic");
    RUN(odd, "dynamic");
    RUN(static_int, fixed);
    RUN(static_uint, fixed);
    RUN(static_long, fixed);
    RUN(static_ulong, fixed);
    RUN(combined, "dynamic");
    RUN(sections, sections);
    RUN(sections_nowait, sections);
    return 0;
}
