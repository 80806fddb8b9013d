/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that bench/run measures.
 *
 *   load flood DEPTH N      at call depth DEPTH, N signals of the kind that the perf
 *                           clock sends; prints ns a signal. Without a collector: to an
 *                           empty handler of its own
 *   load work DEPTH N       N rounds of work at that depth; prints the CPU time in s
 *   load memory THREADS     starts THREADS that work a little, prints private KiB
 *   load nothing
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static sem_t gate, ready;

static double
cpu(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int
find_clock(void)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *e;
    int found = -1;

    while ((e = readdir(dir))) {
        char path[300], what[300];
        ssize_t len;

        snprintf(path, sizeof(path), "/proc/self/fd/%s", e->d_name);
        len = readlink(path, what, sizeof(what) - 1);
        what[len > 0 ? len : 0] = 0;
        if (strstr(what, "perf_event"))
            found = atoi(e->d_name);
    }
    closedir(dir);
    return found;
}

static void
empty(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)info;
    (void)context;
}

static void
flood(long n)
{
    int clock = find_clock();
    struct sigaction act;
    siginfo_t info;
    double best = 1e9;

    memset(&info, 0, sizeof(info));
    info.si_signo = SIGURG;
    info.si_code = POLL_IN;
    info.si_fd = clock;
    if (clock < 0) {
        memset(&act, 0, sizeof(act));
        act.sa_sigaction = empty;
        act.sa_flags = SA_SIGINFO | SA_RESTART;
        sigfillset(&act.sa_mask);
        sigaction(SIGURG, &act, NULL);
    }
    for (int turn = 0; turn < 20; turn++) {
        double begin = cpu(), each;

        for (long i = 0; i < n / 20; i++)
            syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), SIGURG, &info);
        each = (cpu() - begin) / ((double)n / 20);
        best = each < best ? each : best;
    }
    printf("%.1f\n", best * 1e9);
}

static void
work(long n)
{
    double begin = cpu();

    for (long i = 0; i < n * 1000; i++)
        sink += (unsigned long)i;
    printf("%.6f\n", cpu() - begin);
}

__attribute__((noinline)) static int
deep(int depth, void (*what)(long), long n)
{
    volatile int keep = depth;

    if (depth > 0)
        return deep(depth - 1, what, n) + keep;
    what(n);
    return keep;
}

static void *
waits(void *arg)
{
    for (int i = 0; i < 3000000; i++)
        sink += (unsigned long)i;
    sem_post(&ready);
    sem_wait(&gate);
    return arg;
}

static void
memory(int threads)
{
    FILE *f;
    char line[256];
    long sum = 0, kib;

    sem_init(&gate, 0, 0);
    sem_init(&ready, 0, 0);
    for (int i = 1; i < threads; i++) {
        pthread_attr_t attr;
        pthread_t id;

        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, 65536);
        pthread_create(&id, &attr, waits, NULL);
    }
    for (int i = 1; i < threads; i++)
        sem_wait(&ready);
    for (int i = 0; i < 30000000; i++)
        sink += (unsigned long)i;
    f = fopen("/proc/self/smaps_rollup", "r");
    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "Private_%*[A-Za-z]: %ld", &kib) == 1)
            sum += kib;
    printf("%ld\n", sum);
    exit(0);
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (argc > 3 && !strcmp(what, "flood"))
        deep(atoi(argv[2]), flood, atol(argv[3]));
    else if (argc > 3 && !strcmp(what, "work"))
        deep(atoi(argv[2]), work, atol(argv[3]));
    else if (argc > 2 && !strcmp(what, "memory"))
        memory(atoi(argv[2]));
    return 0;
}
