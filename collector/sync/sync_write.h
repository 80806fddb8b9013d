/* SPDX-License-Identifier: Apache-2.0 */
/* Begins and ends a record of the file synctrace. Contexts as in trace.h. */
#ifndef ERTOOLS_COLLECTOR_SYNC_SYNC_WRITE_H
#define ERTOOLS_COLLECTOR_SYNC_SYNC_WRITE_H

#include "collector/hook/trace.h"

static inline struct trace *
sync_trace(struct thread *t)
{
    return &t->trace[TRACE_sync];
}

/* Begin a record. NULL = there is no room, and the event is only counted. */
static inline struct chunk_writer *
sync_write_open(struct trace_scope *s, u64 ticks)
{
    return trace_open(s, sync_trace(s->t), FILE_synctrace, ticks);
}

/*
 * End a record that sync_write_open() has begun: commit it, and copy the numbers of
 * events into the thread's row of the file threads, so that they are known even if the
 * process is killed. w: NULL is allowed; end: the end of the record.
 */
static inline __attribute__((always_inline)) void
sync_write_close(struct trace_scope *s, struct chunk_writer *w,
                 const unsigned char *end)
{
    struct trace *trace = sync_trace(s->t);

    if (ER_LIKELY(w != NULL))
        trace_close(s, trace, w, end);
    if (ER_LIKELY(s->t->row != NULL)) {
        s->t->row->sync_seen = trace_seen(trace);
        s->t->row->sync_dropped = trace->dropped;
    }
}

#endif
