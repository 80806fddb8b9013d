/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoder of one chunk's records, by a plan made from the experiment's schema. Any
 * thread; a decoder serves one at a time.
 */
#ifndef ERTOOLS_PRINT_LOAD_DECODE_H
#define ERTOOLS_PRINT_LOAD_DECODE_H

#include <stdbool.h>

#include "print/load/records.h"
#include "print/load/schema.h"
#include "share/chunk.h"
#include "share/record.h"

struct decoder;

/*
 * A decoder of a file's records for one worker; NULL = no memory. `ordered`: each
 * record is a batch of its own: records of all kinds come in the order of the chunk.
 */
struct decoder *decoder_new(const struct record_source *source,
                            const struct record_sink *sink, u32 worker, bool ordered);
void decoder_free(struct decoder *decoder);

/*
 * Decode the records of a chunk (`committed` bytes, with its header) into batches. 0,
 * or -EBADMSG with *at the offset in the chunk of the first record that cannot be
 * decoded. *records (never reset) counts what was delivered.
 */
int decoder_run(struct decoder *decoder, const struct er_chunk *chunk, u32 committed,
                u32 *at, u64 *records);

/*
 * The same in pieces: begin a chunk, then decode up to `max` records at a time. 1 =
 * there may be more, 0 = that was the chunk's end, -EBADMSG as above (nothing follows).
 */
void decoder_begin(struct decoder *decoder, const struct er_chunk *chunk,
                   u32 committed);
int decoder_some(struct decoder *decoder, u32 max, u32 *at);

/* Records delivered since decoder_begin(). */
u64 decoder_delivered(const struct decoder *decoder);

#endif
