/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: er_print with all its commands on an experiment of which one file is the
 * input. The first byte chooses the experiment and the file. tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdio.h>

#include "print/load/array.h"
#include "tests/fuzz/print_all.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[] = {
    "mix.er/log.xml",
    "mix.er/map.xml",
    "mix.er/overview",
    "mix.er/profile",
    "mix.er/frameinfo",
    "mix.er/threads",
    "mix.er/notes",
    "mix.er/archives/index.xml",
    "mix.er/archives/b4e5c5f8e0f4da1a92c8109183bb06e183116650.ero",
    "heap.er/log.xml",
    "heap.er/map.xml",
    "heap.er/heaptrace",
    "heap.er/frameinfo",
    "heap.er/threads",
    "heap.er/archives/abcd0001.ero",
};

static char dir[] = "/dev/shm/ertools-fuzz.XXXXXX";

static void
clean(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", dir);
    if (system(command))
        abort();
}

/* In its own directory, with the experiments of tests/experiments. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char command[4200];

    (void)argc;
    (void)argv;
    if (!mkdtemp(dir))
        abort();
    atexit(clean);
    snprintf(command, sizeof(command), "cp -r %s/tests/experiments/*.er %s",
             getenv("TOP_SRC") ? getenv("TOP_SRC") : ".", dir);
    if (system(command) || chdir(dir))
        abort();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char whole[1 << 20];
    const char *path;
    char experiment[16];
    size_t n;
    FILE *f;

    if (!size)
        return 0;
    path = files[data[0] % ER_COUNT(files)];
    snprintf(experiment, sizeof(experiment), "%.*s", (int)strcspn(path, "/"), path);
    f = fopen(path, "rb");
    n = f ? fread(whole, 1, sizeof(whole), f) : 0;
    if (f)
        fclose(f);
    print_all_put(path, data + 1, size - 1);
    print_all(experiment);
    print_all_put(path, whole, n);
    return 0;
}
