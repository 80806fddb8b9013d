/* SPDX-License-Identifier: Apache-2.0 */
/* Source files of a session: one number for each path. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FILES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FILES_H

#include "print/load/hash.h"
#include "print/load/pool.h"
#include "print/model/symbols/function.h"

struct files {
    char **path; /* 0 is "" */
    u32 count;
    u32 room;
    struct hash hash;
    struct pool *pool;
    char *search; /* colon-separated directories */
    char **from;  /* pathmaps */
    char **to;
    u32 nmaps;
};

int files_open(struct session *session);
void files_close(struct files *files);

/* The number of a path. A new path gets a number. 0 = no memory. */
u32 files_number(struct session *session, const char *path);

/* The number of an object's file, by its index in the archive. */
u32 files_of_object(struct session *session, u32 object, u32 index);

/*
 * The index of a file in the archive of an object; 0 = the object has no code of that
 * file.
 */
u32 files_in_object(struct session *session, u32 object, u32 file);

#endif
