/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: er_archive on an experiment in a directory that others have filled
 * (tree.h): map.xml, load objects with what belongs to them, archives that are there
 * already. The first byte chooses the mode. In the input's map.xml, objects are called
 * /proc/self/cwd/NAME. tests/fuzz/run builds it.
 */
#include <stdint.h>

#include "archive/archive.h"
#include "tests/fuzz/tree.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
notify(bool error, const char *sentence)
{
    if (!*sentence || strlen(sentence) > 1 << 14)
        abort();
    (void)error;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    tree_start();
    if (mkdir("../../.cache", 0700) || unsetenv("DEBUGINFOD_URLS") ||
        setenv("ERTOOLS_DEBUG_PATH", "/proc/self/cwd/debug", 1) ||
        setenv("ERTOOLS_CACHE_SIZE", "1", 1))
        abort();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct archive_options options = { .notify = notify };

    if (size < 2)
        return 0;
    options.mode = data[0] % 4;
    options.force = data[0] >> 2 & 1;
    options.founder_only = data[0] >> 3 & 1;
    tree_make(data + 1, size - 1);
    archive_experiment("a.er", &options);
    tree_end();
    return 0;
}
