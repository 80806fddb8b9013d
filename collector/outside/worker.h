/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A helper process: a fork of the launcher with one thread, which reads rings and
 * writes to an experiment until it is stopped. Normal context of the launcher.
 */
#ifndef ERTOOLS_OUTSIDE_WORKER_H
#define ERTOOLS_OUTSIDE_WORKER_H

#include <sys/types.h>

struct rings;
struct session;

enum {
    WORKER_WHY = 64,
};

struct worker {
    pid_t pid; /* 0 = there is none */
    int stop;  /* write end of a pipe; a byte in the pipe asks the helper to end */
};

/*
 * The function of a helper: write one byte to `ready` when it is ready, or exit with
 * the errno as status; then work until `stop` can be read. It does not return.
 */
typedef void worker_run(struct session *s, struct rings *rings, int ready,
                                  int stop);

/* Start a helper, and wait until it is ready. 0 or -errno. The caller closes rings. */
int worker_start(struct worker *w, struct session *s, struct rings *rings,
                 worker_run *run);

/*
 * Ask the helper to write the remaining samples, and wait for its end. 0; or 1 if it
 * failed, with the reason in why.
 */
int worker_stop(struct worker *w, char why[WORKER_WHY]);

#endif
