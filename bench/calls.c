/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For bench/calls: makes calls through the loader, at a certain depth of the stack. If
 * compiled with -DLIBRARY, it is the library whose functions are called.
 *
 *   load CALLS DEPTH numbers|text|none
 *
 * Prints the CPU nanoseconds for each call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

long add(long a, long b);
long look(const char *text);
long plain(long a, long b);

#ifdef LIBRARY
long
add(long a, long b)
{
    return a + b;
}

long
plain(long a, long b)
{
    return a + b;
}

long
look(const char *text)
{
    return text[0];
}
#else
static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long
work(long n, const char *what)
{
    long sum = 0;

    for (long i = 0; i < n; i++)
        sum += *what == 'n' && what[1] == 'u' ? add(i, 3)
               : *what == 't'                 ? look("select one from few")
                                              : plain(i, 3);
    return sum;
}

static __attribute__((noinline)) long
down(long depth, long n, const char *what)
{
    return (depth ? down(depth - 1, n, what) : work(n, what)) + 1;
}

int
main(int argc, char **argv)
{
    long n = atol(argv[1]);
    double start = now();

    (void)argc;
    down(atol(argv[2]), n, argv[3]);
    printf("%.1f\n", (now() - start) / (double)n);
    return 0;
}
#endif
