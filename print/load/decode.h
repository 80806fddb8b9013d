/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the records of one chunk, by a plan made from the experiment's schema. Any
 * thread, but only one at a time may use a decoder.
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
 * Make a decoder for the records of a file, to be used by one worker; NULL = no memory.
 * If `ordered`, each record is a batch of its own, so that records of different kinds
 * arrive in the order of the chunk.
 */
struct decoder *decoder_new(const struct record_source *source,
                            const struct record_sink *sink, u32 worker, bool ordered);
void decoder_free(struct decoder *decoder);

/*
 * Decode the records of a chunk (its first `committed` bytes, which include the header)
 * into batches. 0, or -EBADMSG, with *at the offset in the chunk of the first record
 * that cannot be decoded. Adds the number of delivered records to *records.
 */
int decoder_run(struct decoder *decoder, const struct er_chunk *chunk, u32 committed,
                u32 *at, u64 *records);

/*
 * Like decoder_run(), in steps: begin a chunk; then each call decodes up to `max`
 * records. 1 = there may be more, 0 = the chunk has ended, -EBADMSG as above (nothing
 * more can be decoded).
 */
void decoder_begin(struct decoder *decoder, const struct er_chunk *chunk,
                   u32 committed);
int decoder_some(struct decoder *decoder, u32 max, u32 *at);

/* Records delivered since decoder_begin(). */
u64 decoder_delivered(const struct decoder *decoder);

#endif
