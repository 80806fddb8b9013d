/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The course of a recording in the target: it starts in the constructor, and ends in
 * the destructor, in _exit, or by an exec. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_START_H
#define ERTOOLS_COLLECTOR_PRELOAD_START_H

#include "share/logxml.h"
#include "share/ctl.h"
#include "share/types.h"

/*
 * The process is about to end or to become another, by `how` (to `what`, or NULL):
 * close the accounts and log it. Does nothing in a child that shares our memory, or
 * twice.
 */
void start_leave(const char *how, const char *what);

/* It did not: an exec failed. Keeps errno. */
void start_stay(void);

/* A program that this process or a child of it starts will not be recorded: log it. */
void start_tell_lost(const char *program, const char *reason);

/*
 * Recording ends here for good, in all threads, and the process goes on: see event.
 * The collector makes no more system calls that the target does not make.
 */
void start_end(enum er_event event);

/* 1 = our handlers are installed; also in forked children. */
int start_has_signals(void);

/* 1 in the process that records, and not in a vfork child of it. */
int start_is_owner(void);

/* 1 in a vfork child: what it is told to change is its own, our memory its parent's. */
int start_is_guest(void);

/*
 * The target's action for our signal has changed: where it has a handler, system calls
 * are restarted or not as it wants.
 */
void start_mirror_restart(void);

/*
 * The target wants to read signals of this set, ours among them, from a descriptor:
 * take another one for ours. 0, or -EBUSY when that cannot be: other threads are
 * recorded, or the target or an option has the other one, too.
 */
int start_move_signal(const sigset_t *set);

/*
 * In a forked child, which is not recorded: give the signals back to the target. mask
 * is what it goes on with; returns it with our signal in it, if the target has that
 * blocked.
 */
u64 start_child(u64 mask);

/*
 * In a child forked just now by a process that records: begin anew, with an experiment
 * of its own. *mask: as thread_begin_child() has it. 0, or -errno: it is not recorded,
 * and start_child() is to be called.
 */
int start_again(enum er_how how, u64 *mask);

/* Around calls that make processes inside libc: they inherit what the target set. */
u64 start_lend_signal(void);
void start_take_back_signal(u64 mask);

/* Keep our signal away for the length of a call; returns what release needs. */
u64 start_hold_signal(void);
void start_release_signal(u64 mask);

/* Have thread_end() called when this thread ends, after the target's destructors. */
void start_thread_key(void);

/* Stack size of threads made without attributes, bytes. */
u64 start_thread_stack(void);

#endif
