/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads archives/index.xml of an experiment: what er_archive did with each load object.
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_ARCHIVED_H
#define ERTOOLS_PRINT_LOAD_ARCHIVED_H

#include "print/base/problems.h"
#include "share/types.h"

struct pool;

/* The list owns the strings; "" = not known. */
struct archived_object {
    const char *key;
    const char *state;   /* "present", "missing", "changed", "failed" */
    const char *warning; /* a sentence; "" = none */
};

struct archived {
    struct archived_object *object;
    u32 count;
    struct pool *memory;
};

/*
 * Read the index of the experiment whose directory is dirfd. name: the index's path,
 * for problems, in which damage is reported. 0 and *out, for archived_free(); -ENOENT:
 * there is no index; or another -errno.
 */
int archived_read(struct archived *out, int dirfd, const char *name,
                  struct problems *problems);
void archived_free(struct archived *archived);

/* The entry for the object with that key; NULL if there is none. */
const struct archived_object *archived_find(const struct archived *archived,
                                            const char *key);

#endif
