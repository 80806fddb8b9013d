/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a chunked data file in the order of time over all threads, as events
 * that all have the same size. Memory grows with the number of chunks that overlap in
 * time, not with the size of the file.
 *
 * Records of one chunk stay in their order, whatever their times: a chunk is a queue,
 * and only the time of its first record is compared with that of other queues.
 */
#ifndef ERTOOLS_PRINT_LOAD_MERGE_H
#define ERTOOLS_PRINT_LOAD_MERGE_H

#include <stdbool.h>

#include "print/load/records.h"
#include "share/types.h"

enum {
    MERGE_EVENTS_MAX = 2, /* events that a record may become */
};

/* An event made of a record. The caller may use all members but `order` as it likes. */
struct event {
    u64 order; /* time * 2, plus 1 to come after other events of the same time */
    u64 addr;
    u64 size;
    u32 node;
    u32 tag;
};

struct merge_sink {
    /*
     * Make one record (a batch of one) into events; returns their number. It may be
     * called on another thread than the caller's.
     */
    u32 (*translate)(void *translator, const struct batch *record,
                     struct event event[MERGE_EVENTS_MAX]);
    void *translator;
    /* Receives the events, in order, on the caller's thread. */
    void (*events)(void *context, const struct event *event, u32 count);
    void *context;
};

/*
 * Read all chunks of a file. beside: decode and merge on another thread. Damage is
 * reported in the source's problems, as by records_scan(). *count gets the numbers of
 * records; it may be NULL. 0 or -ENOMEM.
 */
int merge_run(const struct record_source *source, const struct merge_sink *sink,
              bool beside, struct record_count *count);

#endif
