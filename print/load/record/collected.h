/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out which sampled Java objects were garbage-collected later. In the records of
 * these objects that readers get, the field `live` is 0.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_COLLECTED_H
#define ERTOOLS_PRINT_LOAD_RECORD_COLLECTED_H

#include "print/load/record/scan.h"
#include "share/types.h"

/* The ids of objects that were collected. It is all 0 before the file is read. */
struct collected {
    u64 *bits; /* bit i % 64 of bits[i / 64]: the object with id i was collected */
    u32 words; /* elements of `bits` */
    bool made; /* the file was read */
};

/*
 * Read, at the first call, which objects were collected. NULL: no record need be
 * changed, as in all files without Java objects.
 */
const struct collected *collected_once(struct collected *collected,
                                       const struct record_source *source);
void collected_free(struct collected *collected);

/*
 * Pass a batch on to the sink, with `live` = 0 in the records of objects that were
 * collected. Batches of other records are passed on unchanged; so are all if memory
 * runs out.
 */
void collected_batch(const struct collected *collected, const struct batch *batch,
                     const struct record_sink *sink);

#endif
