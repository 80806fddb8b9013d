/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which sampled Java objects were garbage-collected later. The field `live` of their
 * records is set accordingly while the records are passed to a reader.
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
 * Read the file of objects at the first call. NULL: records need no change (as in all
 * other files).
 */
const struct collected *collected_once(struct collected *collected,
                                       const struct record_source *source);
void collected_free(struct collected *collected);

/* Hand a batch on to the sink, changed where objects of it were collected. */
void collected_batch(const struct collected *collected, const struct batch *batch,
                     const struct record_sink *sink);

#endif
