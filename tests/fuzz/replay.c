/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target once for each file that is named, or lies in a directory that is
 * named: without libFuzzer, for the test suite and to measure coverage. The paths must
 * be absolute, since some targets change the directory.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* Targets with a mutator of their own name it; nothing is mutated here. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    (void)data, (void)max;
    return size;
}

static const char *last = "";

/* Which input it was, when a target calls abort() or exit(). */
static void
tell(void)
{
    if (*last)
        dprintf(2, "the target ended at %s\n", last);
}

static unsigned
run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    uint8_t *data;
    size_t size;

    if (!f || stat(path, &st) || !(data = malloc((size_t)st.st_size + 1)))
        return 0;
    /* As long as the input exactly, so that a reader behind its end is seen. */
    size = fread(data, 1, (size_t)st.st_size, f);
    data = realloc(data, size ? size : 1);
    fclose(f);
    last = path;
    LLVMFuzzerTestOneInput(data, size);
    last = "";
    free(data);
    return 1;
}

static int
is_shown(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static unsigned
run(const char *path)
{
    struct dirent **entries;
    unsigned n = 0;
    int count = scandir(path, &entries, is_shown, alphasort);

    if (count < 0)
        return errno == ENOTDIR ? run_file(path) : 0;
    for (int i = 0; i < count; i++) {
        char inside[4200];

        snprintf(inside, sizeof(inside), "%s/%s", path, entries[i]->d_name);
        n += run_file(inside);
        free(entries[i]);
    }
    free(entries);
    return n;
}

int
main(int argc, char **argv)
{
    unsigned n = 0;

    atexit(tell);
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        n += run(argv[i]);
    dprintf(1, "%u inputs\n", n);
    return n == 0;
}
