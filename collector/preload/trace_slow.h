/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rare ways of a traced event: a chunk is full, a hook interrupted another, a
 * thread is not known. The common way is hook/trace.h. Normal context of a thread
 * or of its signal handlers; nothing here changes errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_TRACE_SLOW_H
#define ERTOOLS_COLLECTOR_PRELOAD_TRACE_SLOW_H

#include "collector/sig/space.h"
#include "collector/sig/thread.h"
#include "share/types.h"

enum {
    TRACE_BYTES = 96, /* of a record, without strings, at most */
};

/*
 * Room for a record of so many bytes, at least TRACE_BYTES, in trace->main, where there
 * was none: waits until the file has been made longer. NULL when recording has ended
 * or cannot go on (counted).
 */
struct chunk_writer *trace_room(struct thread *t, struct trace *trace,
                                enum er_file file, u64 ticks, u32 bytes);

/*
 * Have the launcher make a file that is only made when it is wanted, and map it; flag:
 * the bit of enum er_ctl_flag that asks for it. 1, or 0: there is none, and it is no
 * use to ask again. All signals blocked.
 */
int trace_want_file(enum er_file file, u32 flag);

/*
 * trace->busy is set; frame is that of the hook now. A writer with room for a record,
 * or NULL (counted). With trace->nested all signals are blocked until
 * trace_done(*mask); with trace->main, the hook that was busy is no more.
 */
struct chunk_writer *trace_busy(struct thread *t, struct trace *trace,
                                enum er_file file, u64 ticks, u32 bytes, u64 frame,
                                u64 *mask);
void trace_done(u64 mask);

/*
 * For a file that one writer of the process has, under a lock and inside a guard:
 * writer_begin() that waits until the file has been made longer. NULL: counted.
 */
unsigned char *trace_begin(struct chunk_writer *writer, enum er_file file, u32 thread,
                           u64 ticks, u32 bytes);

/* Wait for the launcher to make a file. 1, or 0: it does not come. */
int trace_await_file(enum er_file file);

/*
 * sig_walk_from() for a thread that has a small alternate stack: if it is there now,
 * the walk has a stack of ours.
 */
u32 trace_walk_apart(struct thread *t, const struct walk_start *start);

/* A walk gave no node: once more, when there is room for nodes. */
u32 trace_walk_again(struct thread *t, const struct walk_start *start);

/* An address in no known object: have the launcher look, but not at every event. */
void trace_want_map(void);

/*
 * The stand-in for threads that are not recorded themselves: their birth was not seen,
 * or their end has begun. Locked, and all signals blocked, until trace_stray_leave().
 * NULL when there is none: then nothing is to be undone.
 */
struct thread *trace_stray_enter(u64 *mask);
void trace_stray_leave(u64 mask);

/*
 * In a forked child: nothing of the trace is in its experiment. A hook that the forking
 * signal handler had interrupted will still end its record, which goes nowhere.
 */
void trace_renew(struct trace *trace);

/* In a forked child, whose threads are gone but one: so is the stand-in. */
void trace_forget_stray(void);

#endif
