/* SPDX-License-Identifier: Apache-2.0 */
/* One run of collect, from the request to the target's end. Normal context. */
#ifndef ERTOOLS_LAUNCH_RUN_H
#define ERTOOLS_LAUNCH_RUN_H

#include "collector/launch/request.h"
#include "collector/launch/session.h"

/*
 * Record request->target. Returns the exit status of collect, having said what went
 * wrong if it is its own; when the target was killed, this process dies by the same
 * signal and does not return.
 */
int run(const struct request *request);

/* Say what run() would record. Returns an exit status. */
int run_dry(const struct request *request);

/* Make the experiment; its files are empty. Returns an exit status, having said why. */
int run_make_experiment(struct session *s);

/* The log tells of counters that are left out. */
void run_put_missing(struct session *s);

/* As many as there may be: each descendant's experiment takes eight descriptors. */
void run_raise_descriptors(void);

#endif
