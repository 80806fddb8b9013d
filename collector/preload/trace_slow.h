/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow paths of a traced event: a chunk is full, a hook has interrupted another, or
 * the collector does not know the thread. The fast path is hook/trace.h. Normal context
 * of a thread or of the target's signal handlers; nothing here changes errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_TRACE_SLOW_H
#define ERTOOLS_COLLECTOR_PRELOAD_TRACE_SLOW_H

#include "collector/sig/space.h"
#include "collector/sig/thread.h"
#include "share/types.h"

enum {
    TRACE_BYTES = 96, /* most bytes of a record, without its strings */
};

/*
 * Get space for a record of `bytes` bytes, at least TRACE_BYTES, in trace->main, whose
 * chunk is full: wait until the file has been extended. Returns the writer; NULL when
 * recording has ended or cannot go on (then the record is counted as dropped).
 */
struct chunk_writer *trace_room(struct thread *t, struct trace *trace,
                                enum er_file file, u64 ticks, u32 bytes);

/*
 * Have the launcher create an optional file, and map it; flag: the bit of enum
 * er_ctl_flag that requests it. 1; 0 = that has failed. All signals are blocked.
 */
int trace_want_file(enum er_file file, u32 flag);

/*
 * For a hook that finds trace->busy set; frame: the address of this hook's frame.
 * Returns a writer with space for a record, or NULL (counted as dropped). If the writer
 * is trace->nested, all signals are blocked until trace_done(*mask). If it is
 * trace->main, a jump had left the hook that had set busy.
 */
struct chunk_writer *trace_busy(struct thread *t, struct trace *trace,
                                enum er_file file, u64 ticks, u32 bytes, u64 frame,
                                u64 *mask);
void trace_done(u64 mask);

/*
 * writer_begin() for a file that all threads write through one writer, under a lock and
 * inside a guard: waits until the file has been extended. NULL: there is no space; the
 * record is counted as lost, unless recording has ended on purpose.
 */
unsigned char *trace_begin(struct chunk_writer *writer, enum er_file file, u32 thread,
                           u64 ticks, u32 bytes);

/* Wait until the launcher has created a file. 1, or 0: it has not done so in time. */
int trace_await_file(enum er_file file);

/*
 * sig_walk_from() for a thread that has a small alternate stack: if the thread is on it
 * now, the walk runs on a stack of ours.
 */
u32 trace_walk_apart(struct thread *t, const struct walk_start *start);

/*
 * A walk has found no space for its nodes: get space, and repeat the walk. Returns the
 * leaf's node; 0 = there is no space.
 */
u32 trace_walk_again(struct thread *t, const struct walk_start *start);

/*
 * An address is in no known object: have the launcher read the maps, at most once in
 * 200 ms.
 */
void trace_want_map(void);

/*
 * Make the trace a new one, in a forked child. A hook that the forking signal handler
 * had interrupted still finishes its record, which is discarded.
 */
void trace_renew(struct trace *trace);

#endif
