/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel regions whose imbalance and waits are known: threads sleep, and read the
 * clock themselves. Prints a line for each kind of region:
 *
 *   NAME count threads elapsed work end barrier critical ordered task imbalance save
 *
 * with times in us, and "tasks NUMBER work" and "serial TIME".
 *
 * build: -O1 -g -fopenmp -fno-optimize-sibling-calls
 * build: name=clang cc=clang -O1 -g -fopenmp -fno-optimize-sibling-calls
 */
#include <omp.h>
#include <stdio.h>
#include <time.h>

#define KEEP __attribute__((noinline))

enum { THREADS = 3, MANY = 6, ROUNDS = 4 };

enum what { WORK, END, BARRIER, CRITICAL, ORDERED, TASK, WHATS };

static double sum[WHATS], elapsed, imbalance, save, tasks_work, serial, last_end;
static int count, parts, tasks;
static int team = THREADS;

/* Of each thread, in a region. */
static struct {
    double begin, end, waited[WHATS], tasks, tasks_at_end;
} my[MANY];

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static KEEP void
nap(int ms)
{
    struct timespec t = { 0, ms * 1000000L };

    nanosleep(&t, NULL);
}

static double
begin(void)
{
    for (int i = 0; i < team; i++)
        my[i] = (__typeof__(my[0])){ 0 };
    if (last_end > 0)
        serial += now() - last_end;
    return now();
}

static void
part_begin(void)
{
    my[omp_get_thread_num()].begin = now();
}

static void
part_end(void)
{
    int i = omp_get_thread_num();

    my[i].tasks_at_end = my[i].tasks;
    my[i].end = now();
}

/* A wait since then; what the thread did for tasks meanwhile is none. */
static void
waited(enum what what, double since, double tasks_before)
{
    int i = omp_get_thread_num();

    my[i].waited[what] += now() - since - (my[i].tasks - tasks_before);
}

static void
end(double since)
{
    double till = now(), all = 0, most = 0;

    last_end = till;
    elapsed += till - since;
    count++;
    for (int i = 0; i < team; i++) {
        double work = my[i].end - my[i].begin + my[i].tasks - my[i].tasks_at_end;

        for (int w = 0; w < WHATS; w++) {
            sum[w] += my[i].waited[w];
            work -= my[i].waited[w];
        }
        sum[END] += till - my[i].end - (my[i].tasks - my[i].tasks_at_end);
        sum[WORK] += work;
        all += work;
        most = work > most ? work : most;
        parts++;
    }
    imbalance += team * most - all;
    save += most - all / team;
}

static void
tell(const char *name)
{
    printf("%s %d %d %.0f", name, count, parts / count, elapsed);
    for (int w = 0; w < WHATS; w++)
        printf(" %.0f", sum[w]);
    printf(" %.0f %.0f\n", imbalance, save);
    for (int w = 0; w < WHATS; w++)
        sum[w] = 0;
    elapsed = imbalance = save = 0;
    count = parts = 0;
}

static KEEP void
region_skewed(void)
{
    double since = begin();

#pragma omp parallel
    {
        part_begin();
        nap(10 * (omp_get_thread_num() + 1));
        part_end();
    }
    end(since);
}

static KEEP void
region_critical(void)
{
    double since = begin();

#pragma omp parallel
    {
        double asked;

        part_begin();
        asked = now();
#pragma omp critical(turns)
        {
            waited(CRITICAL, asked, 0);
            nap(10);
        }
        part_end();
    }
    end(since);
}

static KEEP void
region_lock(void)
{
    double since = begin();
    omp_lock_t lock;

    omp_init_lock(&lock);
#pragma omp parallel
    {
        double asked;

        part_begin();
        asked = now();
        omp_set_lock(&lock);
        waited(CRITICAL, asked, 0);
        nap(10);
        omp_unset_lock(&lock);
        part_end();
    }
    end(since);
    omp_destroy_lock(&lock);
}

/* The first thread has the least to do; it may have to add up the others' results. */
static KEEP void
region_reduction(void)
{
    double since;
    int sum = 0;

    team = MANY;
    since = begin();
#pragma omp parallel num_threads(MANY) reduction(+ : sum)
    {
        part_begin();
        nap(5 + 4 * omp_get_thread_num());
        sum += 2;
        part_end();
    }
    end(since);
    team = THREADS;
    if (sum != 2 * MANY)
        printf("the sum is %d\n", sum);
}

static KEEP void
region_barrier(void)
{
    double since = begin();

#pragma omp parallel
    {
        double asked;

        part_begin();
        nap(omp_get_thread_num() ? 5 : 25);
        asked = now();
#pragma omp barrier
        waited(BARRIER, asked, 0);
        nap(5);
        part_end();
    }
    end(since);
}

static KEEP void
region_ordered(void)
{
    double since = begin();

#pragma omp parallel
    {
        part_begin();
#pragma omp for ordered schedule(static, 1) nowait
        for (int i = 0; i < 2 * THREADS; i++) {
            double asked = now();

#pragma omp ordered
            {
                waited(ORDERED, asked, 0);
                nap(5);
            }
        }
        part_end();
    }
    end(since);
}

static void
task(void)
{
    double since = now(), took;

    nap(10);
    took = now() - since;
    my[omp_get_thread_num()].tasks += took;
#pragma omp critical(tasks)
    {
        tasks_work += took;
        tasks++;
    }
}

static KEEP void
region_tasks(void)
{
    double since = begin();

#pragma omp parallel
    {
        part_begin();
#pragma omp single nowait
        {
            double asked, before;

            for (int i = 0; i < 10; i++) {
#pragma omp task
                task();
            }
            before = my[omp_get_thread_num()].tasks;
            asked = now();
#pragma omp taskwait
            waited(TASK, asked, before);
            nap(10);
        }
        part_end();
    }
    end(since);
}

#define RUN(name)                         \
    do {                                  \
        for (int i = 0; i < ROUNDS; i++) { \
            nap(5);                       \
            region_##name();              \
        }                                 \
        tell(#name);                      \
    } while (0)

int
main(void)
{
    omp_set_dynamic(0);
    omp_set_num_threads(THREADS);
    RUN(skewed);
    RUN(critical);
    RUN(lock);
    RUN(reduction);
    RUN(barrier);
    RUN(ordered);
    RUN(tasks);
    printf("tasks %d %.0f\n", tasks, tasks_work);
    printf("serial %.0f\n", serial);
    return 0;
}
