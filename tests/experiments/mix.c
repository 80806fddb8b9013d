/* SPDX-License-Identifier: Apache-2.0 */
/* The program of mix.er: two threads, an inlined function, recursion, system calls. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile double sink;

static inline double
poly(double x)
{
    return x * x * 0.5 + x * 0.25 + 1;
}

__attribute__((noinline, noclone)) static double
alpha(int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += poly(i * 0.001);
    return sum;
}

__attribute__((noinline, noclone)) static double
beta(int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += i / (sum + 3.0);
    return sum;
}

__attribute__((noinline, noclone)) static int
recurse(int depth, int n)
{
    if (depth == 0) {
        sink = alpha(n);
        return 1;
    }
    sink = recurse(depth - 1, n) + 1;
    return (int)sink;
}

__attribute__((noinline, noclone)) static void
talk(int fd, int n)
{
    char c = 0;

    for (int i = 0; i < n; i++)
        if (pwrite(fd, &c, 1, 0) != 1)
            abort();
}

static void *
worker(void *data)
{
    int *rounds = data;

    for (int i = 0; i < *rounds; i++)
        sink = beta(100000 + i);
    return NULL;
}

int
main(void)
{
    char name[] = "/tmp/mixXXXXXX";
    int rounds = 4000, fd = mkstemp(name);
    pthread_t thread;

    unlink(name);
    if (fd < 0 || pthread_create(&thread, NULL, worker, &rounds))
        return 1;
    for (int i = 0; i < rounds / 10; i++) {
        recurse(3, 2000000);
        talk(fd, 3000);
    }
    pthread_join(thread, NULL);
    return 0;
}
