/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A helper process: a fork of the launcher with one thread, which reads rings and
 * writes to an experiment until it is stopped. Normal context of the launcher.
 */
#ifndef ERTOOLS_OUTSIDE_WORKER_H
#define ERTOOLS_OUTSIDE_WORKER_H

struct rings;
struct recording;
struct worker;

enum {
    WORKER_WHY = 64,
};

/*
 * The function of a helper: write one byte to `ready` when it is ready, or exit with
 * the errno as status; then work until `stop` can be read. It does not return.
 */
typedef void worker_run(struct recording *s, struct rings *rings, int ready,
                                  int stop);

/* Start a helper, and wait until it is ready. 0 or -errno. The caller closes rings. */
int worker_start(struct worker *w, struct recording *s, struct rings *rings,
                 worker_run *run);

/*
 * Ask the helper to write the remaining samples, and wait for its end. 0; or 1 if it
 * failed, with the reason in why.
 */
int worker_stop(struct worker *w, char why[WORKER_WHY]);

#endif
