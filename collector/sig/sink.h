/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How handlers write to the file madecode, whose only writer is shared with normal
 * context (preload/made.h). The holder of the lock writes all records of a function.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_SINK_H
#define ERTOOLS_COLLECTOR_SIG_SINK_H

#include "collector/sig/space.h"
#include "share/types.h"

struct sink {
    u32 *lock; /* *lock 1 = taken; its holder has signals blocked */
    struct chunk_writer *writer; /* NULL: there is no such file */
    u32 owner; /* thread id in the chunks' headers */
    u32 pid;   /* id of the process in which the file is mapped */
};

extern struct sink sink;

/*
 * Try for a moment (TRIES) to get the lock: 1, or 0, also if this process has no such
 * file. All signals but SIGBUS are blocked while it is held, so that no handler of the
 * target jumps away and leaves it locked. *before: for sink_unlock().
 */
int sink_try_lock(u64 *before);
void sink_unlock(u64 before);

/* Room for a record, while the lock is held; NULL = none. */
unsigned char *sink_begin(u64 ticks, u32 bytes);

#endif
