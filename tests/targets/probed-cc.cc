// SPDX-License-Identifier: Apache-2.0
// build: -O2 -g -fcf-protection=none
// probed-cc TURNS: calls functions of C++ whose first instructions are of another one,
// which is inlined there. Prints how often each was called: "NAME CALLS".
#include <cstdio>
#include <cstdlib>

static inline __attribute__((always_inline)) int
twice(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n + n;
}

namespace shop
{
__attribute__((noinline)) int
sortThings(int n)
{
    return twice(n) + 1;
}

__attribute__((noinline)) int
either(int n)
{
    return twice(n);
}

__attribute__((noinline)) double
either(double n)
{
    return n + n;
}
}

__attribute__((noinline)) int
count(int n)
{
    return twice(n) + 2;
}

int
main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1;
    volatile double sum = 0;

    for (int i = 0; i < turns; i++) {
        sum = sum + shop::sortThings(i) + count(i) + count(i + 1);
        sum = sum + shop::either(i) + shop::either(0.5);
    }
    printf("sortThings %d\ncount %d\n", turns, 2 * turns);
    return 0;
}
