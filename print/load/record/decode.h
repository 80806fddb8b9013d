/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the records of one chunk, by a plan made from the experiment's schema. Any
 * thread, but only one at a time may use a decoder.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_DECODE_H
#define ERTOOLS_PRINT_LOAD_RECORD_DECODE_H

#include <stdbool.h>

#include "print/load/record/batch.h"
#include "print/load/record/schema.h"
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
 * Decode the records in the first `committed` bytes of a chunk (which include its
 * header), and pass them to the sink in batches. 0; or -EBADMSG: the record at offset
 * *at in the chunk cannot be decoded; those before it are passed. Adds the number of
 * passed records to *records.
 */
int decoder_run(struct decoder *decoder, const struct er_chunk *chunk, u32 committed,
                u32 *at, u64 *records);

/*
 * Like decoder_run(), in steps: decoder_begin() begins a chunk; then each call of
 * decoder_some() decodes up to `max` records. 1 = there may be more; 0 = the chunk has
 * ended; -EBADMSG as for decoder_run().
 */
void decoder_begin(struct decoder *decoder, const struct er_chunk *chunk,
                   u32 committed);
int decoder_some(struct decoder *decoder, u32 max, u32 *at);

/* The number of records passed to the sink since decoder_begin(). */
u64 decoder_delivered(const struct decoder *decoder);

#endif
