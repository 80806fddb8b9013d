/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of handlers to the file madecode, whose one writer is shared with normal
 * context (preload/made.h). Whoever has the lock writes all records of a function.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_SINK_H
#define ERTOOLS_COLLECTOR_SIG_SINK_H

#include "collector/sig/space.h"
#include "share/types.h"

struct sink {
    u32 *lock; /* 1 = taken; normal context has all signals blocked meanwhile */
    struct chunk_writer *writer; /* NULL: the file is not there */
    u32 owner; /* the chunks' thread */
    u32 pid;   /* of the process that it is mapped in */
};

extern struct sink sink;

/*
 * Try for some microseconds: 1, or 0 without it. Signals are blocked meanwhile, lest a
 * handler of the target's jumps away with the lock.
 */
int sink_take(u64 *before);
void sink_give(u64 before);

/* Room for a record, while the lock is held; NULL = none. */
unsigned char *sink_begin(u64 ticks, u32 bytes);

#endif
