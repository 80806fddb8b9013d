/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the records of one file of many experiments, by a common clock. Records of one
 * thread stay in the order in which they were written. The next record is always the
 * earliest among the next records of all threads. Memory grows with the number of
 * threads and chunks, not of events. Ordinary process context, one thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_STREAMS_H
#define ERTOOLS_PRINT_LOAD_RECORD_STREAMS_H

#include <stdbool.h>

#include "print/load/record/records.h"
#include "share/types.h"

struct streams_sink {
    /*
     * Make a record (a batch of one) of source[number] into an event: `size` bytes at
     * `out`, which begin with the record's moment, an int64_t. False: leave it out.
     */
    bool (*translate)(void *context, u32 number, const struct batch *record, void *out);
    /* Convert a tick of source[number] to its moment on the common clock. */
    int64_t (*moment)(void *context, u32 number, u64 tick);
    /* Called with each event, in order. If it returns false, the scan ends. */
    bool (*use)(void *context, u32 number, const void *event);
    void *context;
    u32 size; /* bytes of an event */
};

/*
 * Read all sources, until use() returns false; sources whose `data` is NULL are
 * skipped. Damage is reported in the problems of its source, as by records_scan(). 0 or
 * -ENOMEM.
 */
int streams_run(const struct record_source *source, u32 count,
                const struct streams_sink *sink);

#endif
