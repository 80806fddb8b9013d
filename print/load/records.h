/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes chunked data files by the experiment's own schema. A chunk can be decoded
 * without the others, so several threads can read one file.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORDS_H
#define ERTOOLS_PRINT_LOAD_RECORDS_H

#include <stdbool.h>

#include "print/load/nodes.h"
#include "print/load/problems.h"
#include "print/load/schema.h"
#include "share/chunk.h"
#include "share/types.h"

enum {
    BATCH_ROWS = 512,
};

struct collected;
struct reconcile;

/*
 * Records of one kind and one thread, in the order in which they were written. A row
 * has a u64 for each field, in the order of the schema; negative numbers are extended
 * to 64 bits. A string field has the address of a struct er_str that is valid during
 * the call. A time field is in ticks >> time_shift.
 */
struct batch {
    const struct schema_record *record;
    const struct er_chunk *chunk; /* the chunk of these records */
    u32 worker;                   /* 0 to workers - 1: which thread calls */
    u32 thread;                   /* id of the recorded thread */
    u32 count;
    const u64 *row; /* count * record->nfields */
};

/* Receives records. All workers may call batch() at the same time. */
struct record_sink {
    void (*batch)(void *context, const struct batch *batch);
    void *context;
    bool ordered; /* batches of one record, in the order of their chunk */
};

struct record_source {
    const unsigned char *data; /* the mapped file */
    u64 size;
    const struct schema_file *schema;
    const char *path; /* for sentences */
    struct problems *problems;
    bool is_short; /* a part is missing, which was reported */
    const struct nodes *nodes; /* if nodes depend on the time; or NULL */
    const struct reconcile *reconcile; /* changes for records of hits; NULL = none */
    const struct collected *collected; /* changes for records of objects; NULL = none */
};

/* What a scan saw. */
struct record_count {
    u64 chunks;
    u64 bad_chunks; /* named in problems */
    u64 unsealed;
    u64 records;
    u64 dropped; /* as chunk headers count them */
};

/*
 * Decode all chunks, with `workers` threads (at least 1). Problems name each damaged
 * chunk by its offset. If a chunk is intact, but a record in it cannot be decoded, the
 * records before that one are still delivered. *count (may be NULL) is set at the end.
 * 0 or -ENOMEM.
 */
int records_scan(const struct record_source *source, const struct record_sink *sink,
                 u32 workers, struct record_count *count);

/* How many workers are worth having for a source; at most `most`. */
u32 records_workers(const struct record_source *source, u32 most);

/*
 * Report damage by its offset in the file: of a chunk; or of a record, which makes the
 * rest of its chunk unreadable. Only for print/load.
 */
void records_tell_chunk(const struct record_source *source, u64 where);
void records_tell_record(const struct record_source *source, u64 where);

/*
 * How many bytes of a chunk can be decoded, by chunk_believed(); missing bytes are
 * reported. If the result is less than chunk->committed, the last record may be
 * incomplete: that is not reported again.
 */
u32 records_believe(const struct record_source *source, const struct er_chunk *chunk,
                    u32 committed, u64 where);

#endif
