/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the sampled objects of a Java machine it has collected since they were made:
 * their records say so on their way to whoever reads them (field live).
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
 * What the file of objects says, read when first asked for. NULL: records are to be
 * taken as they are, as those of all other files.
 */
const struct collected *collected_once(struct collected *collected,
                                       const struct record_source *source);
void collected_free(struct collected *collected);

/* Hand a batch on to the sink, changed where objects of it were collected. */
void collected_batch(const struct collected *collected, const struct batch *batch,
                     const struct record_sink *sink);

#endif
