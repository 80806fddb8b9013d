/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Usage: python-embed LIBPYTHON TIMES CODE. Loads this libpython and TIMES times starts
 * its interpreter, runs CODE in it and ends it; then unloads the library. Exits with
 * the number of times that this failed.
 */
/* link: -ldl */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
    void *library = argc == 4 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    void (*begin)(int);
    int (*run)(const char *, void *), (*end)(void), failed = 0;

    if (!library)
        return 99;
    *(void **)&begin = dlsym(library, "Py_InitializeEx");
    *(void **)&run = dlsym(library, "PyRun_SimpleStringFlags");
    *(void **)&end = dlsym(library, "Py_FinalizeEx");
    if (!begin || !run || !end)
        return 98;
    for (int i = 0; i < atoi(argv[2]); i++) {
        begin(0);
        failed += run(argv[3], NULL) != 0;
        failed += end() != 0;
    }
    dlclose(library);
    return failed;
}
