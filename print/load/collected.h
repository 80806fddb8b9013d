/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out which sampled Java objects were garbage-collected later. While the objects'
 * records are passed to a reader, their field `live` is set to 0.
 */
#ifndef ERTOOLS_PRINT_LOAD_COLLECTED_H
#define ERTOOLS_PRINT_LOAD_COLLECTED_H

#include "print/load/records.h"
#include "share/types.h"

/* The ids of objects that were collected. All members 0: the file was not read yet. */
struct collected {
    u64 *bits; /* bit i % 64 of bits[i / 64]: the object with id i was collected */
    u32 words;
    bool made;
};

/*
 * Read, at the first call, which objects were collected. NULL: no record must be
 * changed, as in all files without Java objects.
 */
const struct collected *collected_once(struct collected *collected,
                                       const struct record_source *source);
void collected_free(struct collected *collected);

/*
 * Pass a batch on to the sink, with `live` = 0 in the records of objects that were
 * collected. Batches of other records are passed on unchanged.
 */
void collected_batch(const struct collected *collected, const struct batch *batch,
                     const struct record_sink *sink);

#endif
