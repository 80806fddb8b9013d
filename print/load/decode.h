/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoder of one chunk's records, by a plan made from the experiment's schema. Any
 * thread; a decoder serves one at a time.
 */
#ifndef ERTOOLS_PRINT_LOAD_DECODE_H
#define ERTOOLS_PRINT_LOAD_DECODE_H

#include "print/load/records.h"
#include "print/load/schema.h"
#include "share/chunk.h"
#include "share/record.h"

struct decoder;

/* A decoder of a file's records for one worker; NULL = no memory. */
struct decoder *decoder_new(const struct schema_file *schema,
                            const struct record_sink *sink, u32 worker);
void decoder_free(struct decoder *decoder);

/*
 * Decode the records of a chunk, `committed` bytes with its header, into batches.
 * 0, or -EBADMSG with *at the offset in the chunk of the first record that cannot be.
 * *records (never reset) counts what was delivered.
 */
int decoder_run(struct decoder *decoder, const struct er_chunk *chunk, u32 committed,
                u32 *at, u64 *records);

#endif
