/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two runtimes of OpenMP in one process: GCC's, and Clang's in a library that main()
 * opens. Each has a region with three threads in run_NAME(), which call mark_NAME(),
 * which allocates a block. Prints "NAME CALLS" for both.
 *
 * build: out=libomp_two.so cc=clang -DLIBRARY -O0 -g -fopenmp -fPIC -shared
 * build: -O1 -g -fopenmp -fno-optimize-sibling-calls
 * link: -ldl
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

#ifdef LIBRARY
#define NAME(what) what##_other
#else
#define NAME(what) what##_own
#endif

static int calls;

static KEEP void
NAME(mark)(void)
{
    void *volatile p = malloc(100);

    free(p);
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

KEEP int
NAME(run)(void)
{
    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(3)
        NAME(mark)();
    }
    return calls;
}

#ifndef LIBRARY
int
main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *found = library ? dlsym(library, "run_other") : NULL;
    int (*other)(void);

    if (!found)
        return 1;
    *(void **)&other = found;
    printf("own %d\n", run_own());
    printf("other %d\n", other());
    printf("own %d\n", run_own());
    return 0;
}
#endif
