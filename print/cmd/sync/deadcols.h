/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that show deadlocks have in common. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_SYNC_DEADCOLS_H
#define ERTOOLS_PRINT_CMD_SYNC_DEADCOLS_H

#include "print/cmd/shell.h"
#include "print/model/sync/deadlocks.h"

/*
 * Get the deadlocks [*from, *to): the one whose number is argument 1, or all. 1 after a
 * message, also if there is nothing to show.
 */
int deadcols_get(struct shell *sh, int argc, char **argv, struct deadlocks *out,
                 u32 *from, u32 *to);

/* The verdict: "possible", or why it is not. The table owns the text. */
const char *deadcols_verdict(struct shell *sh, struct table *t,
                             const struct deadlock *deadlock);

/* The lock that a step holds, or asks for; the table owns the text. */
const char *deadcols_held(struct shell *sh, struct table *t, u32 experiment,
                          const struct deadlock_step *step);
const char *deadcols_requested(struct shell *sh, struct table *t, u32 experiment,
                               const struct deadlock_step *step);

/* The thread of a step: "2 worker". */
const char *deadcols_thread(struct shell *sh, struct table *t, u32 experiment,
                            const struct deadlock_step *step);

#endif
