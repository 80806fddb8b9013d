/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* link: -lpthread */
/*
 * wall ACT [MS]: one thing that takes time, and how much of it, in seconds, by its own
 * clocks:
 *
 *   parts       a thread computes, sleeps, waits for a lock, reads a slow pipe and asks
 *               the kernel for pages; another holds the lock and writes
 *   compete N   N threads and this one compute, all on one processor
 *   forever     sleeps until it is killed, and so does a thread that waits for a lock;
 *               "ready PID"
 *   sleepers N  N threads sleep, again and again, for MS each time, 20 times
 *   stopped     computes while a child of its stops it for a time and lets it go on
 *
 * Lines are "NAME SECONDS". `delay` is what the kernel says of the main thread's time
 * without a processor, `cpu` its CPU time, `wall` its time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t ready;
static int pipes[2];
static double part = 0.3;
static int interrupted; /* EINTR, where nobody sends signals */

static double
clock_of(clockid_t id)
{
    struct timespec ts;

    clock_gettime(id, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static double
now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

static double
cpu(void)
{
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

/* What the kernel says of this thread, 0 where it does not. */
static double
delay(void)
{
    unsigned long long ns = 0;
    FILE *f = fopen("/proc/thread-self/schedstat", "r");

    if (!f || fscanf(f, "%*u %llu", &ns) != 1)
        ns = 0;
    if (f)
        fclose(f);
    return (double)ns * 1e-9;
}

static void
pause_for(double seconds)
{
    struct timespec ts = { (time_t)seconds, (long)((seconds - (long)seconds) * 1e9) };

    while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
        interrupted++;
}

static __attribute__((noinline)) void
compute(double seconds)
{
    volatile unsigned x = 1;

    for (double end = cpu() + seconds; cpu() < end;)
        for (int i = 0; i < 20000; i++)
            x = x * 1664525u + 1013904223u;
}

static __attribute__((noinline)) void
take_lock(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static __attribute__((noinline)) void
read_pipe(void)
{
    char c;

    while (read(pipes[0], &c, 1) < 0 && errno == EINTR)
        interrupted++;
}

static __attribute__((noinline)) void
take_pages(double seconds)
{
    enum { BYTES = 8 << 20 };

    for (double end = cpu() + seconds; cpu() < end;) {
        char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        for (size_t i = 0; i < BYTES; i += 4096)
            ((volatile char *)p)[i] = 1;
        munmap(p, BYTES);
    }
}

/* How long a call waited: what it took, less the CPU time and the run delay in it. */
static void
timed(const char *name, void (*call)(void))
{
    double wall = now(), ran = cpu(), delayed = delay();

    call();
    printf("%s %.6f\n", name, now() - wall - (cpu() - ran) - (delay() - delayed));
}

static void *
hold(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_barrier_wait(&ready);
    pause_for(part);
    pthread_mutex_unlock(&lock);
    pause_for(part);
    if (write(pipes[1], "x", 1) != 1)
        abort();
    return NULL;
}

static __attribute__((noinline)) void
sleep_part(void)
{
    pause_for(part);
    __asm__ volatile("");
}

static void
join(pthread_t t)
{
    pthread_join(t, NULL);
}

static void
parts(void)
{
    double wall = now(), ran = cpu(), delayed = delay();
    pthread_t t;

    if (pipe(pipes) < 0)
        exit(1);
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&t, NULL, hold, NULL);
    pthread_barrier_wait(&ready);
    timed("lock", take_lock);
    timed("io", read_pipe);
    compute(part / 2);
    timed("sleep", sleep_part);
    take_pages(part / 2);
    join(t);
    printf("cpu %.6f\ndelay %.6f\nwall %.6f\n", cpu() - ran, delay() - delayed,
           now() - wall);
}

static void *
rival(void *unused)
{
    (void)unused;
    compute(part);
    return NULL;
}

static void
compete(int rivals)
{
    double wall = now(), ran = cpu(), delayed = delay();
    cpu_set_t one;
    pthread_t t[64];

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof(one), &one);
    for (int i = 0; i < rivals; i++)
        pthread_create(&t[i], NULL, rival, NULL);
    compute(part);
    printf("cpu %.6f\ndelay %.6f\nwall %.6f\n", cpu() - ran, delay() - delayed,
           now() - wall);
    for (int i = 0; i < rivals; i++)
        join(t[i]);
}

static void *
wait_for_lock(void *unused)
{
    pthread_barrier_wait(&ready);
    take_lock();
    return unused;
}

static void
forever(void)
{
    pthread_t t;

    pthread_mutex_lock(&lock);
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&t, NULL, wait_for_lock, NULL);
    pthread_barrier_wait(&ready);
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    for (;;)
        pause();
}

static void *
sleeper(void *ms)
{
    pthread_barrier_wait(&ready);
    for (int i = 0; i < 20; i++)
        pause_for((double)(long)ms / 1000);
    return NULL;
}

static void
sleepers(int n, long ms)
{
    pthread_t *t = calloc((size_t)n, sizeof(*t));
    double wall;

    pthread_barrier_init(&ready, NULL, (unsigned)n + 1);
    for (int i = 0; i < n; i++)
        if (pthread_create(&t[i], NULL, sleeper, (void *)ms))
            exit(1);
    pthread_barrier_wait(&ready);
    wall = now();
    for (int i = 0; i < n; i++)
        join(t[i]);
    printf("wall %.6f\nprocess %.6f\nEINTR %d\n", now() - wall,
           clock_of(CLOCK_PROCESS_CPUTIME_ID), interrupted);
    free(t);
}

static void
stopped(void)
{
    double wall = now(), ran = cpu();
    pid_t child = fork();

    if (child == 0) {
        double begin;

        pause_for(part);
        kill(getppid(), SIGSTOP);
        begin = now();
        pause_for(3 * part);
        kill(getppid(), SIGCONT);
        printf("stop %.6f\n", now() - begin);
        fflush(stdout);
        _exit(0);
    }
    compute(2 * part);
    waitpid(child, NULL, 0);
    printf("cpu %.6f\nwall %.6f\n", cpu() - ran, now() - wall);
}

int
main(int argc, char **argv)
{
    const char *act = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0;

    if (!strcmp(act, "parts"))
        parts();
    else if (!strcmp(act, "compete"))
        compete(n);
    else if (!strcmp(act, "forever"))
        forever();
    else if (!strcmp(act, "sleepers"))
        sleepers(n, argc > 3 ? atol(argv[3]) : 10);
    else if (!strcmp(act, "stopped"))
        stopped();
    else
        return 2;
    return 0;
}
