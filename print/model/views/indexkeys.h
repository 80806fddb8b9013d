/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key, in a hash table. For the model's own use; one thread per table. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_INDEXKEYS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_INDEXKEYS_H

#include "print/base/hash.h"
#include "print/model/views/indexrow.h"

/* All 0 is empty. */
struct index_keys {
    struct index_row *row;
    u32 count;
    u32 room;
    u32 last; /* index of the row found last */
    struct hash hash;
};

/*
 * Get the sums of a key, which are added if the key is new. The pointer is valid until
 * the next call. NULL: no memory.
 */
struct values *indexkeys_at(struct index_keys *keys, const struct index_key *key);

void indexkeys_free(struct index_keys *keys);

#endif
