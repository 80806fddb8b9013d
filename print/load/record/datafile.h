/* SPDX-License-Identifier: Apache-2.0 */
/* A data file in memory. Ordinary process context. */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_DATAFILE_H
#define ERTOOLS_PRINT_LOAD_RECORD_DATAFILE_H

#include <stdbool.h>

#include "print/load/record/schema.h"
#include "share/types.h"

/* data is NULL if the file is missing or empty, or cannot be read. */
struct datafile {
    const unsigned char *data;
    u64 size;
    const struct schema_file *schema; /* NULL: log.xml does not describe it */
    /* EXPERIMENT/NAME, for problems; freed by datafile_close() */
    char *path;
    bool is_mapped;    /* `data` is the file; else a copy */
    bool is_short;     /* a part of it, or all, is missing, which was reported */
    bool is_looked_at; /* integrity_check_chunks() has checked it */
};

/*
 * Load the regular file `name` of directory dirfd into memory. A long file is mapped; a
 * short one is read, since a process can have only so many mappings. If `growing`, any
 * file is read: its writer may truncate it at any moment, so it must not be mapped.
 * Sets data and size, for datafile_close(). 0, also for an empty file; or -errno.
 * -EFBIG: the file is so large, or so sparse, that it cannot be genuine or be read.
 */
int datafile_open(struct datafile *file, int dirfd, const char *name, bool growing);

/*
 * Give back the memory of a mapped file's pages. Its data can still be read: the kernel
 * then reads the pages from the file again.
 */
void datafile_forget(const struct datafile *file);

void datafile_close(struct datafile *file);

#endif
