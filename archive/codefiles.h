/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source files of interpreted code in an experiment: those of functions, such as
 * Python's, that were on stacks. Ordinary process context. Damaged data are skipped
 * without a warning, since er_print reports them.
 */
#ifndef ERTOOLS_ARCHIVE_CODEFILES_H
#define ERTOOLS_ARCHIVE_CODEFILES_H

#include "share/types.h"

struct codefiles {
    char **name; /* paths, owned */
    u32 count;
    u32 room;
};

/*
 * Adds the files that an experiment names; `dir` is the descriptor of its directory. 0
 * or -errno.
 */
int codefiles_add(struct codefiles *files, int dir);

/* Sorts the names and removes duplicates. */
void codefiles_sort(struct codefiles *files);

void codefiles_free(struct codefiles *files);

#endif
