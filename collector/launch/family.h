/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descendants of the target that are recorded: each asks on the founder's control
 * page for an experiment of its own, and is served like the founder. Normal context of
 * the launcher.
 */
#ifndef ERTOOLS_LAUNCH_FAMILY_H
#define ERTOOLS_LAUNCH_FAMILY_H

#include <signal.h>

#include "collector/launch/member.h"
#include "share/logxml.h"

struct family;

/* The family of s; NULL when there is no memory, or descendants are not wanted. */
struct family *family_start(struct recording *founder);

/*
 * Answer the requests for experiments, serve the wants of all members, and end the
 * experiments of members that have detached and ended.
 */
void family_serve(struct family *f);

/* End the experiments of members whose processes have ended. */
void family_reap(struct family *f);

/*
 * For descendants that have run for a while: reserve the usual space, since until then
 * they have less than a founder, and start to sample their system time. Returns when to
 * call this again (CLOCK_MONOTONIC ns); 0 = when a new descendant has come.
 */
u64 family_widen(struct family *f);

/* 1 if there are members, whose end must be looked for. */
int family_alive(const struct family *f);

/* Take a sample point of each member. */
void family_sample(struct family *f, enum er_cause cause);

/* Read the files in which the members' runtimes describe code made at run time. */
void family_made(struct family *f);

/* Read the run delays of each member (-p wall). Returns the number of their threads. */
u32 family_delays(struct family *f);

/*
 * Change flags on the control pages of all members, and log `event` with `why` in their
 * logs (EVENT_COUNT: log nothing).
 */
void family_flags(struct family *f, u32 set, u32 clear, enum er_event event,
                  const char *why);

/*
 * The session of the member whose process has this pid. NULL if there is none, or f is
 * NULL.
 */
struct recording *family_of_pid(const struct family *f, pid_t pid);

/* Bytes given out in the files of all descendants so far, ended ones included. */
u64 family_used(const struct family *f);

/*
 * The founder has ended: end the experiments of the descendants that have ended, too.
 * ended and account: of the founder's process; ended is NULL if it was not a child of
 * ours. flags: of its control page when it ended. Returns how many descendants still
 * run.
 */
size_t family_settle(struct family *f, const siginfo_t *ended,
                     const struct process_use *account, u32 flags);

/* Wait until our own threads have finished their work for members, before a fork. */
void family_settle_threads(struct family *f);

/*
 * Print "collect: NAME (process N) and 2 more WHAT" about the members that still run.
 */
__attribute__((format(printf, 2, 3))) void family_print_running(const struct family *f,
                                                                const char *what, ...);

/* Another process serves the members now: forget them, and free f. */
void family_hand_over(struct family *f);

/*
 * Stop serving the members that still run; they continue without being recorded. how:
 * the reason, part of a sentence. Frees f.
 */
void family_part(struct family *f, const char *how);

/*
 * Accept no more requests. Members that still run extend their files themselves. Frees
 * f.
 */
void family_end(struct family *f);

#endif
