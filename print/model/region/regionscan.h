/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file `regions` of one experiment, summed up by the writer's own ids. For the code
 * in print/model/region alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_REGION_REGIONSCAN_H
#define ERTOOLS_PRINT_MODEL_REGION_REGIONSCAN_H

#include "print/base/pool.h"
#include "print/model/lookup/regions.h"
#include "print/model/region/regionusage.h"

/* A record `notice`. */
struct notice_row {
    u64 time; /* a record time */
    u64 since;
    u64 value;
    u32 what; /* enum er_notice */
    u32 path;
    u32 node;
    u32 slot;
    bool ended; /* NOTICE_OPEN: a span of the instance was recorded later */
    /*
     * Of a NOTICE_OPEN that did not end: ns until the end of recording or of its
     * thread.
     */
    double lasted;
    double used[USE_COUNT];
    double unsure;
    const char *text;
};

/* Sums over the instances of one id. */
struct region_part {
    u64 count;
    u64 took;    /* in units of record times */
    u64 longest; /* in units of record times */
    double used[USE_COUNT];
    double unsure;  /* ns */
    u32 gap;        /* index of the gap of which in_gap is not yet part of `unsure` */
    double in_gap;  /* time in that gap, in units of record times */
};

struct region_scan {
    struct region_id *id; /* after the scan, sorted by id */
    u32 ids, id_room;
    struct notice_row *notice; /* after the scan, sorted by thread and time */
    u32 notices, notice_room;
    struct region_readings *readings; /* by slot */
    u32 slots;
    struct region_part *part; /* by id; `parts` elements */
    u32 parts;
    struct region_numbers *number; /* by id; `numbers` elements */
    u32 numbers, number_room;
    struct region_text *text; /* `region` is an id */
    u32 texts, text_room;
    u64 more_texts;
    struct hash text_hash;
    unsigned char *is_open; /* by id: was an instance notice to be open? */
    u64 readings_count;
    double rate; /* ns in a unit of record times */
    struct pool *pool;
};

/*
 * Make the scan. 0, -ENOENT (the program named no regions) or -ENOMEM; in each case,
 * free *out by regionscan_free().
 */
int regionscan_run(struct session *session, u32 experiment, struct region_scan *out);
void regionscan_free(struct region_scan *scan);

#endif
