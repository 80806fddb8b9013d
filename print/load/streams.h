/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of one file of many experiments, in the order of one common clock. What a
 * thread wrote comes in the order it was written; of the threads, whose next is the
 * earliest is next. Memory goes with how many threads there are, not with the events.
 * Ordinary process context, one thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_STREAMS_H
#define ERTOOLS_PRINT_LOAD_STREAMS_H

#include <stdbool.h>

#include "print/load/records.h"
#include "share/types.h"

struct streams_sink {
    /*
     * Turn a record (a batch of one) of source[number] into `size` bytes at `out`,
     * which begin with its moment as an int64_t. False: it is left out.
     */
    bool (*translate)(void *context, u32 number, const struct batch *record, void *out);
    /* The moment of a clock tick of that source. */
    int64_t (*moment)(void *context, u32 number, u64 tick);
    /* Those, in order. False ends it all. */
    bool (*use)(void *context, u32 number, const void *event);
    void *context;
    u32 size;
};

/*
 * Read all; a source without data has none. Damage is told in each source's problems as
 * records_scan() does. 0 or -ENOMEM.
 */
int streams_run(const struct record_source *source, u32 count,
                const struct streams_sink *sink);

#endif
