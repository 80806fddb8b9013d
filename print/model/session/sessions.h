/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens and closes sessions (print/model/session.h), adds and removes experiments, and
 * sets the view: what touches the data of all rooms of the model. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_MODEL_SESSION_SESSIONS_H
#define ERTOOLS_PRINT_MODEL_SESSION_SESSIONS_H

#include "print/model/session.h"

/*
 * Set the view. user: functions of language runtimes are hidden, and where a thread
 * works for another thread's code, its stack continues there. machine: inlined calls
 * are not shown, and stacks are the native ones. Neither: all functions, and joined
 * stacks with the native part in between. Earlier results can still be read and freed.
 */
void sessions_view(struct session *session, bool user, bool machine);

/* 0 and *out for sessions_close(), or -ENOMEM. */
int sessions_open(struct session **out);
void sessions_close(struct session *session);

/*
 * Add the experiments for which `name` stands: one with its sub-experiments, or a
 * group. If none could be opened: -errno, and a sentence in *why, which the caller
 * frees. If some could be: 0, and the problems of the first one say why others could
 * not. Earlier results (rows, trees) can still be read and freed.
 */
int sessions_add(struct session *session, const char *name, char **why);

/*
 * Which sub-experiments are added with an experiment from now on: NULL = all, "" =
 * none, else those whose program's name or own name matches the extended regular
 * expression as a whole. A sub-experiment that sessions_add() is called with is always
 * added. 0; -EINVAL and a sentence in `why`, and nothing has changed; -ENOMEM.
 */
int sessions_descendants(struct session *session, const char *names, char *why,
                        size_t size);

/* Remove the experiment with that index; later ones get lower indices. 0 or -ENOENT. */
int sessions_drop(struct session *session, u32 index);

#endif
