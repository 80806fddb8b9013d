/* SPDX-License-Identifier: Apache-2.0 */
/* One run of collect, from the request to the target's end. Normal context. */
#ifndef ERTOOLS_LAUNCH_RUN_H
#define ERTOOLS_LAUNCH_RUN_H

#include "collector/session/request.h"
#include "collector/session/session.h"

/*
 * Record request->target. Returns the exit status of collect: the target's, or after a
 * message one of its own. If a signal killed the target, this process dies by the same
 * signal.
 */
int run(const struct request *request);

/*
 * As run(), for a process that a debugger runs: this process becomes request->target,
 * and collect continues in another process, which is not a child of this one. Returns
 * only there.
 */
int run_beside(const struct request *request);

/* Say what run() would record. Returns an exit status. */
int run_dry(const struct request *request);

#endif
