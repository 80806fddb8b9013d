/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descendants of the target that are recorded: they ask on the founder's control
 * page for experiments of their own, and are served like the founder. Normal context of
 * the launcher.
 */
#ifndef ERTOOLS_LAUNCH_FAMILY_H
#define ERTOOLS_LAUNCH_FAMILY_H

#include <signal.h>

#include "collector/launch/member.h"
#include "share/logxml.h"

struct family;

/* The family of s; NULL when there is no memory, or descendants are not wanted. */
struct family *family_start(struct session *founder);

/* Grant what was asked for, and serve the wants of all members. */
void family_serve(struct family *f);

/* End the experiments of those that have ended. */
void family_look(struct family *f);

/*
 * Give those that turn out not to be short the room that a founder has from the start.
 * Returns when to come again (CLOCK_MONOTONIC ns); 0: when there is somebody new.
 */
u64 family_widen(struct family *f);

/* 1 while there are members whose end must be looked for. */
int family_alive(const struct family *f);

/* Take a sample point of each. */
void family_sample(struct family *f, enum er_cause cause);

/* Read what the runtimes of each have said of code that they made. */
void family_made(struct family *f);

/* Look at the run delays of each (-p wall); the number of their threads. */
u32 family_delays(struct family *f);

/* Change flags of the control pages of all; event tells why, or EVENT_COUNT. */
void family_flags(struct family *f, u32 set, u32 clear, enum er_event event,
                  const char *why);

/* The member that is this process; NULL if there is none, or f is NULL. */
struct session *family_of_pid(const struct family *f, pid_t pid);

/* Bytes given out to all descendants so far. */
u64 family_used(const struct family *f);

/*
 * The founder has ended: end the experiments of those that have ended, too. ended and
 * account are the founder's process's, ended NULL if it was no child of ours; flags
 * those of its control page when it ended. Returns how many go on.
 */
size_t family_settle(struct family *f, const siginfo_t *ended,
                     const struct account *account, u32 flags);

/* Wait for what threads of ours do for the members: after it, one may fork. */
void family_settle_threads(struct family *f);

/* "collect: NAME (process N) and 2 more WHAT", of those that go on. */
__attribute__((format(printf, 2, 3))) void family_say(const struct family *f,
                                                      const char *what, ...);

/* Another process serves the members: forget them. */
void family_hand_over(struct family *f);

/*
 * We leave those that run, which go on without being recorded; how: why, a sentence's
 * part. f is freed.
 */
void family_part(struct family *f, const char *how);

/* No more requests. Those that still run are left alone: each makes room for itself. */
void family_end(struct family *f);

#endif
