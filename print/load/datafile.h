/* SPDX-License-Identifier: Apache-2.0 */
/* A data file in memory. Ordinary process context. */
#ifndef ERTOOLS_PRINT_LOAD_DATAFILE_H
#define ERTOOLS_PRINT_LOAD_DATAFILE_H

#include <stdbool.h>

#include "print/load/schema.h"
#include "share/types.h"

/* data is NULL when the file is missing or empty. */
struct datafile {
    const unsigned char *data;
    u64 size;
    const struct schema_file *schema; /* NULL: log.xml does not describe it */
    /* experiment/name, for messages; freed by datafile_close() */
    char *path;
    bool is_mapped;    /* else it is a copy */
    bool is_short;     /* a part of it is missing, and that has been reported */
    bool is_looked_at; /* integrity_check_chunks() has checked it */
};

/*
 * Load the regular file `name` of directory dirfd into memory. A long file is mapped; a
 * short one is read, since a process cannot have that many mappings. If `growing`, any
 * file is read: its writer may truncate it at any moment, so it must not be mapped.
 * Sets data and size, for datafile_close(). 0 or -errno; an empty file is no error.
 */
int datafile_open(struct datafile *file, int dirfd, const char *name, bool growing);

/*
 * Give back the memory of a mapped file's pages. The file can still be read: the kernel
 * brings the pages back then.
 */
void datafile_forget(const struct datafile *file);

void datafile_close(struct datafile *file);

#endif
