/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a chunked data file in the order of time over all threads, as events
 * that all have the same size. Memory grows with the number of chunks that overlap in
 * time, not with the size of the file.
 *
 * Records of one chunk stay in their order, whatever their times: a chunk is a queue,
 * and only the time of its first record is compared with that of other queues.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_MERGE_H
#define ERTOOLS_PRINT_LOAD_RECORD_MERGE_H

#include <stdbool.h>

#include "print/load/record/event.h"
#include "print/load/record/records.h"
#include "share/types.h"

enum {
    MERGE_EVENTS_MAX = 2, /* most events that a record may become */
};

struct merge_sink {
    /*
     * Make one record (a batch of one) into events; returns their number. It is called
     * on another thread than the caller's if `beside`.
     */
    u32 (*translate)(void *translator, const struct batch *record,
                     struct event event[MERGE_EVENTS_MAX]);
    void *translator;
    /* Receives the events, in order, on the caller's thread. */
    void (*events)(void *context, const struct event *event, u32 count);
    void *context;
};

/*
 * Read all chunks of a file. beside: if there are several chunks, decode and merge them
 * on another thread. Damage is reported in the source's problems, as by records_scan().
 * count: what was seen; may be NULL. 0 or -ENOMEM.
 */
int merge_run(const struct record_source *source, const struct merge_sink *sink,
              bool beside, struct record_count *count);

#endif
