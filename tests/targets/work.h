/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time, for targets: used in a function whose name tests look for. */
#ifndef ERTOOLS_TESTS_TARGETS_WORK_H
#define ERTOOLS_TESTS_TARGETS_WORK_H

#include <time.h>

static volatile unsigned long sink;

/* So many ms of this thread's. */
__attribute__((noinline)) static void
work(int ms)
{
    struct timespec a, b;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        for (int i = 0; i < 2000; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}

#endif
