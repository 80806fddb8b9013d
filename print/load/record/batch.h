/* SPDX-License-Identifier: Apache-2.0 */
/* A file of records, and the batches in which its records are passed on. */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_BATCH_H
#define ERTOOLS_PRINT_LOAD_RECORD_BATCH_H

#include <stdbool.h>

#include "print/base/problems.h"
#include "print/load/record/nodes.h"
#include "print/load/record/schema.h"
#include "share/chunk.h"
#include "share/types.h"

enum {
    BATCH_ROWS = 512, /* most records of a batch */
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
    const struct er_chunk *chunk; /* the chunk of these records; NULL: wall_feed() */
    u32 worker;                   /* 0 to workers - 1: which thread calls */
    u32 thread;                   /* id of the recorded thread */
    u32 count;
    const u64 *row; /* count * record->nfields */
};

/* Receives records. All workers may call batch() at the same time. */
struct record_sink {
    void (*batch)(void *context, const struct batch *batch);
    void *context;
    bool ordered; /* wants batches of one record, in the order of their chunk */
};

struct record_source {
    const unsigned char *data; /* the file in memory */
    u64 size;
    const struct schema_file *schema;
    const char *path; /* of the file, for problems */
    struct problems *problems;
    bool is_short; /* a part of the file is missing, which was reported */
    const struct nodes *nodes; /* if some depend on the time; else NULL */
    const struct reconcile *reconcile; /* changes for records of hits; NULL = none */
    const struct collected *collected; /* changes for records of objects; NULL = none */
};

/* What a scan saw. */
struct record_count {
    u64 chunks;
    u64 bad_chunks; /* damaged: problems names them */
    u64 unsealed;   /* chunks that were not completed */
    u64 records;    /* decoded */
    u64 dropped;    /* records that were not written, by the chunks' headers */
};

#endif
