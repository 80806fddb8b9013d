/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out which sampled Java objects were garbage-collected later, and sets the field
 * `live` in the objects' records while these are passed to a reader.
 */
#ifndef ERTOOLS_PRINT_LOAD_COLLECTED_H
#define ERTOOLS_PRINT_LOAD_COLLECTED_H

#include "print/load/records.h"
#include "share/types.h"

/* All 0 is not read yet. */
struct collected {
    u64 *bits; /* by the object's id */
    u32 words;
    bool made;
};

/*
 * Read the file of objects at the first call. NULL: no record must be changed, which is
 * the case in all files without Java objects.
 */
const struct collected *collected_once(struct collected *collected,
                                       const struct record_source *source);
void collected_free(struct collected *collected);

/*
 * Pass a batch on to the sink; `live` is set in the records of objects that were
 * collected.
 */
void collected_batch(const struct collected *collected, const struct batch *batch,
                     const struct record_sink *sink);

#endif
