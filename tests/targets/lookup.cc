/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -g */
/* A name twice: a function that nobody calls, and one with a scope that works. */
#include <ctime>

extern "C" __attribute__((noinline)) long
labour(long n)
{
    return n * 3 + 1;
}

extern "C" __attribute__((noinline)) long
idle(long n)
{
    return n * 5 + 1;
}

namespace busy {
__attribute__((noinline)) long
labour(long n)
{
    volatile long sum = 0;

    for (long i = 0; i < n; i++)
        sum = sum + i;
    return sum;
}
}

int
main(int argc, char **)
{
    long sum = 0;

    while (clock() < CLOCKS_PER_SEC / 4)
        sum += busy::labour(100000);
    return argc > 100 ? (int)(labour(sum) + idle(sum)) : 0;
}
