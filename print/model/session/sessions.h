/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens and closes sessions (print/model/session.h), adds and removes experiments, and
 * sets the view. These functions use the data of all rooms of the model. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_SESSION_SESSIONS_H
#define ERTOOLS_PRINT_MODEL_SESSION_SESSIONS_H

#include "print/model/session.h"

/*
 * Set the view. user: functions of language runtimes are hidden, and where a thread
 * works for another thread's code, its stack continues there. machine: inlined calls
 * are not shown, and stacks are the native ones. Neither: all functions, and joined
 * stacks with their native part in between. Results that callers have can still be read
 * and freed.
 */
void sessions_view(struct session *session, bool user, bool machine);

/* 0 and *out for sessions_close(), or -ENOMEM. */
int sessions_open(struct session **out);
void sessions_close(struct session *session);

/*
 * Add the experiments for which `name` stands: one with its sub-experiments, or a
 * group. 0; the problems of the first one that was opened say why others could not be.
 * If none could be opened: -errno, and a sentence in *why, which the caller frees (NULL
 * = no memory). Results that callers have (rows, trees) can still be read and freed.
 */
int sessions_add(struct session *session, const char *name, char **why);

/*
 * Set which sub-experiments are added with an experiment from now on: NULL = all, "" =
 * none, else those whose program's name or own name (without .er) matches the extended
 * regular expression `names` as a whole. A sub-experiment that sessions_add() is called
 * with is always added. 0; -EINVAL: `names` is not an expression, `why` (`size` bytes)
 * says why; or -ENOMEM. On an error, nothing changes.
 */
int sessions_descendants(struct session *session, const char *names, char *why,
                        size_t size);

/* Remove the experiment with that index; later ones get lower indices. 0 or -ENOENT. */
int sessions_drop(struct session *session, u32 index);

#endif
