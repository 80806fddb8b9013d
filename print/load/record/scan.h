/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes chunked data files by the experiment's own schema. A chunk can be decoded
 * without the others, so several threads can read one file. Most of er_print reads
 * through records.h.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_SCAN_H
#define ERTOOLS_PRINT_LOAD_RECORD_SCAN_H

#include "print/load/record/batch.h"

/*
 * Decode all chunks, with up to `workers` threads (at least 1). Problems name each
 * damaged chunk by its offset. If a chunk is intact, but a record in it cannot be
 * decoded, the records before it are still passed to the sink. count: what was seen,
 * set on success; may be NULL. 0 or -ENOMEM. source->reconcile and source->collected
 * are not used.
 */
int scan_run(const struct record_source *source, const struct record_sink *sink,
             u32 workers, struct record_count *count);

/* How many workers are worth starting for a source: 1 to `most`. */
u32 scan_workers(const struct record_source *source, u32 most);

/*
 * Report damage at offset `where` in the file: of a chunk, or of a record, which makes
 * the rest of its chunk unreadable. Only for print/load.
 */
void scan_report_bad_chunk(const struct record_source *source, u64 where);
void scan_report_bad_record(const struct record_source *source, u64 where);

/*
 * How many bytes of the chunk at offset `where` can be decoded, by chunk_believed();
 * missing or damaged bytes are reported. If the result is less than chunk->committed,
 * the last record may be incomplete: the caller must not report that again. 0: none can
 * be decoded.
 */
u32 scan_believe(const struct record_source *source, const struct er_chunk *chunk,
                 u32 committed, u64 where);

#endif
