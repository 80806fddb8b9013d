/* SPDX-License-Identifier: Apache-2.0 */
/* Source files of a session: one number for each path. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FILES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FILES_H

#include "print/base/hash.h"
#include "print/base/pool.h"
#include "print/model/symbols/function.h"

struct files {
    char **path; /* by number; that of 0 is "" */
    u32 count;
    u32 room;
    struct hash hash;
    struct pool *pool;
    char *search; /* colon-separated directories */
    char **from;  /* by pathmap */
    char **to;    /* by pathmap */
    u32 nmaps;
};

int files_open(struct session *session);
void files_close(struct files *files);

/* The number of a path; a new path gets one. 0 = no memory, or the path "". */
u32 files_number(struct session *session, const char *path);

/* The number of the file with that index in the object's archive; 0 = none. */
u32 files_of_object(struct session *session, u32 object, u32 index);

/*
 * The index of a file (by its number) in the archive of an object; 0 = the archive does
 * not have the file.
 */
u32 files_in_object(struct session *session, u32 object, u32 file);

#endif
