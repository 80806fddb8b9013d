/* SPDX-License-Identifier: Apache-2.0 */
/* A type of index objects or of memory objects. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_INDEXTYPE_H
#define ERTOOLS_PRINT_CMD_INDEXTYPE_H

#include <stdlib.h>

#include "print/model/views/index.h"

enum index_kind {
    INDEX_EVENTS,
    INDEX_MEMORY,
};

struct index_type {
    const char *name;
    enum index_kind kind;
    struct index_def def;
    const char *title; /* title of an object; %1, %2 are the values of its keys */
    const char *doc;
    char *own_name; /* owned copy of `name`; NULL in predefined types */
    char *own_key;  /* owned copy of def.key[0]; NULL in predefined types */
};

/* Free an array of types that the user defined. */
static inline void
indextype_free(struct index_type *types, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        free(types[i].own_name);
        free(types[i].own_key);
    }
    free(types);
}

#endif
