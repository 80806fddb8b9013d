/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries, each with a copy of GCC's runtime of OpenMP of its own, as packages of
 * Python bring them. main() opens those that are named. Each sets its number of threads
 * to 2, and runs a region. Prints "FILE THREADS" for each: how many threads of its own
 * runtime were in the region.
 *
 * build: out=libomp_copies.so -DLIBRARY -O1 -g -fopenmp -fPIC -shared
 * build: -O1 -g
 * link: -ldl
 */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LIBRARY
#include <omp.h>

int count(void);

int
count(void)
{
    int threads = 0;

    omp_set_num_threads(2);
#pragma omp parallel
    {
        int n = omp_get_num_threads() == 2;

        __atomic_add_fetch(&threads, n, __ATOMIC_RELAXED);
    }
    return threads;
}
#else
int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        void *found = library ? dlsym(library, "count") : NULL;
        int (*count)(void);

        if (!found) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        *(void **)&count = found;
        printf("%s %d\n", argv[i], count());
    }
    return 0;
}
#endif
