/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key, in a hash table. For the model's own use; one thread per table. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_INDEXKEYS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_INDEXKEYS_H

#include "print/load/hash.h"
#include "print/model/views/index.h"

/* All 0 is empty. */
struct index_keys {
    struct index_row *row;
    u32 count;
    u32 room;
    u32 last; /* the row found last */
    struct hash hash;
};

/*
 * The sums of that key, which are made if they are new. The pointer is valid until the
 * next call. NULL: no memory.
 */
struct values *indexkeys_at(struct index_keys *keys, const struct index_key *key);

void indexkeys_free(struct index_keys *keys);

#endif
