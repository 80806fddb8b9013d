/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lifecycle of a recording in the target: it starts in the constructor, and ends in
 * the destructor, in _exit, or by an exec. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_RECORDING_H
#define ERTOOLS_COLLECTOR_PRELOAD_RECORDING_H

#include "share/logxml.h"
#include "share/ctl.h"
#include "collector/sig/thread.h"
#include "share/params.h"
#include "share/types.h"

/*
 * Call when the process is about to end, or to become another program by exec. how: the
 * function by which ("exit", "_exit", "exec"); what: the new program, or NULL. Closes
 * the accounts and logs the end, unless called before; if system calls are restricted,
 * only marks the recording as ended. In a process that does not record, such as a vfork
 * child, only calls fork_log_unseen() and inherit_signal_if_ignored().
 */
void recording_close(const char *how, const char *what);

/*
 * Undo recording_close() after an exec that failed, and log the failure. Keeps errno.
 */
void recording_resume(void);

/*
 * Log that a program which this process or a child of it starts will not be recorded.
 */
void recording_report_lost(const char *program, const char *reason);

/*
 * End recording for good, in all threads, and log the event; the process continues.
 * From now on the collector makes no system calls of its own. Does nothing in a process
 * that does not record.
 */
void recording_end(enum er_event event);

/*
 * In a process to which collect attaches: begin to record with the parameters `asked`;
 * no thread is recorded yet. preload: LD_PRELOAD for descendants, "" = do not record
 * them. *before: CPU time that the process has used so far. 0 or -errno; -EBUSY: the
 * process is already recorded.
 */
int recording_attach(const struct er_params *asked, const char *path,
                     const char *preload, struct cpu_times *before);

/* Undo recording_attach(). 0, or -EBUSY: some thread is still recorded. */
int recording_detach(void);

/* Stack size, in bytes, of threads that are created without attributes. */
u64 recording_thread_stack(void);

#endif
