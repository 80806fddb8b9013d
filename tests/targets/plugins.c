/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: -O1 -g
 * link: -ldl
 * build: out=libplugin-one.so -O1 -g -shared -fPIC -DNAME=one -DTIMES=3
 * build: out=libplugin-two.so -O1 -g -shared -fPIC -DNAME=two -DTIMES=2
 * build: out=libplugin-three.so -O1 -g -shared -fPIC -DNAME=three -DTIMES=1
 *
 * A host that loads libraries and unloads them, or not: plugins [-k] LIBRARY...; and
 * libraries that do all their work in their constructors: TIMES 0.1 s, and a hundred
 * blocks that they leave. All are of one size, so each comes to lie where the one
 * before it was.
 */
#ifdef NAME

#include <stdlib.h>
#include <time.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

static volatile unsigned long sink;
void *JOIN(kept_by_, NAME)[100];

static double
cpu_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) void
JOIN(work_of_, NAME)(void)
{
    double until = cpu_time() + 0.1 * TIMES;

    while (cpu_time() < until)
        for (int i = 0; i < 100000; i++)
            sink = sink * 5 + 1;
    for (int i = 0; i < 100; i++)
        JOIN(kept_by_, NAME)[i] = malloc(1000);
}

__attribute__((constructor)) static void
begin(void)
{
    JOIN(work_of_, NAME)();
}

#else

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
    int keep = argc > 1 && !strcmp(argv[1], "-k");

    for (int i = 1 + keep; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW);

        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        if (!keep)
            dlclose(library);
    }
    return 0;
}

#endif
