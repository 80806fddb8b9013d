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

/* 1 = our handlers are installed; forked children inherit them. */
int recording_has_signals(void);

/* 1 in the process that records, and not in a vfork child of it. */
int recording_is_owner(void);

/* 1 in a vfork child: its signal actions are its own, our memory is its parent's. */
int recording_in_vfork_child(void);

/*
 * The target's action for our signal has changed: copy its SA_RESTART to our handler,
 * so that system calls are restarted, or not, as the target wants. Without a handler of
 * the target, they are restarted.
 */
void recording_mirror_restart(void);

/*
 * The target's action for the signal of -l or -y, whose handler in the kernel is ours.
 * It takes effect when recording ends. NULL: signo is neither of these.
 */
struct sigaction *recording_action_kept(int signo);

/*
 * The target wants to read the signals of this set, which contains our signal, from a
 * descriptor (signalfd): use another signal. 0, or -EBUSY: other threads are recorded,
 * or the other signal is used already, by us or an option, or is in the set, too. If
 * our handler cannot be installed for the other signal, this thread has no more hits.
 */
int recording_move_signal(const sigset_t *set);

/*
 * In a forked child that is not recorded: restore the target's signal actions. mask:
 * the signal mask with which the target continues. Returns the mask, with our signal
 * added if the target has that signal blocked.
 */
u64 recording_leave_child(u64 mask);

/*
 * In a child that was just forked by a process that records: begin a recording with its
 * own experiment. *mask: as in thread_begin_child(). 0, or -errno: the child is not
 * recorded, and recording_leave_child() must be called.
 */
int recording_restart(enum er_how how, u64 *mask);

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

/*
 * Call these two around calls in which libc creates processes: the new process then
 * gets the mask and the action for our signal that the target has set. The first
 * returns the mask that the second restores.
 */
u64 recording_yield_signal(void);
void recording_restore_signal(u64 mask);

/* Block our signal during a call; returns what recording_release_signal() needs. */
u64 recording_hold_signal(void);
void recording_release_signal(u64 mask);

/* Stack size, in bytes, of threads that are created without attributes. */
u64 recording_thread_stack(void);

#endif
