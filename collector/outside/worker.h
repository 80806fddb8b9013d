/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A helper process of the launcher's: a fork of it with one thread, that reads rings
 * and writes to an experiment until it is stopped. Normal context of the launcher.
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
    int stop;  /* it ends when a byte comes from this end of a pipe */
};

/*
 * What a helper does: write one byte to `ready` when it is, or end with the errno as
 * its exit status; then work until `stop` can be read. It does not return.
 */
typedef void worker_run(struct session *s, struct rings *rings, int ready,
                                  int stop);

/* Start one, and wait until it is ready. 0 or -errno. rings: stays the caller's. */
int worker_start(struct worker *w, struct session *s, struct rings *rings,
                 worker_run *run);

/*
 * Have the rest written, and wait for that. 0; or 1 and in why how it had ended before
 * that was asked of it.
 */
int worker_stop(struct worker *w, char why[WORKER_WHY]);

#endif
