/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g -fPIC */
/* build: name=stripped -O2 -s */
/* build: name=exports -O2 -s -rdynamic */
/* build: name=nopie -O2 -g -no-pie -fno-pie */
/* Aliases, weak and versioned names, an indirect function, stubs, a cold part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* link: -lm */

__attribute__((noinline)) int
__archive_strong(int x)
{
    return x * 3 + 1;
}

int archive_weak(int) __attribute__((weak, alias("__archive_strong")));

static int
chosen_one(void)
{
    return 1;
}

static int
chosen_two(void)
{
    return 2;
}

__attribute__((used)) static int (*resolve(void))(void)
{
    return getenv("ARCHIVE_NEVER") ? chosen_two : chosen_one;
}

int archive_indirect(void) __attribute__((ifunc("resolve")));

__attribute__((cold, noinline)) static void
complain(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

__attribute__((noinline)) int
archive_parts(int x)
{
    if (__builtin_expect(x > 1000, 0)) {
        complain("large");
        complain("never");
    }
    return x + (int)cos((double)x);
}

/* Its cold part begins within its frame. */
__attribute__((noinline)) int
archive_framed(int x)
{
    volatile int a[64] = { 0 };

    a[x & 63] = x;
    if (__builtin_expect(a[1] > 1000, 0))
        complain("large");
    return a[2];
}

int
main(int argc, char **argv)
{
    (void)argv;
    printf("%d\n", archive_weak(argc) + archive_indirect() + archive_parts(argc) +
                       archive_framed(argc));
    return 0;
}
