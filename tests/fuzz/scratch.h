/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory of a fuzz target's own, in memory where there is such a file system; it
 * goes when the program ends. Ordinary process context; what fails ends the program.
 */
#ifndef ERTOOLS_TESTS_FUZZ_SCRATCH_H
#define ERTOOLS_TESTS_FUZZ_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_dir[1024];

static inline void
scratch_clean(void)
{
    char command[1100];

    snprintf(command, sizeof(command), "rm -rf '%s'", scratch_dir);
    if (chdir("/") || system(command))
        abort();
}

/* Make it, as scratch_dir, and go there. */
static inline void
scratch_start(void)
{
    const char *tmp = getenv("TMP");
    const char *const places[] = { "/dev/shm", tmp ? tmp : "/tmp", "/tmp" };

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(scratch_dir, sizeof(scratch_dir), "%s/ertools-fuzz.XXXXXX", places[i]);
        if (!mkdtemp(scratch_dir))
            continue;
        atexit(scratch_clean);
        if (chdir(scratch_dir))
            abort();
        return;
    }
    abort();
}

#endif
