/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples a target that cannot load the collector from outside. Normal context of the
 * launcher, one thread. A helper process does the work, so that no damaged file of the
 * target can make the launcher crash.
 */
#ifndef ERTOOLS_OUTSIDE_OUTSIDE_H
#define ERTOOLS_OUTSIDE_OUTSIDE_H

#include "share/image.h"

struct recording;

/*
 * 1 if a program of this kind, which cannot load the collector, can be sampled from
 * outside, and the kernel permits it to this user.
 */
int outside_can(enum image_kind kind);

/*
 * Start sampling s->pid every s->params.clock_ns, as s->outside says. Returns 0; or
 * -errno, and nothing was started.
 */
int outside_start(struct recording *s);

/*
 * If `program` is a Go program that loads the collector: sample the programs that it
 * starts from outside. The collector cannot follow them, since Go's runtime makes the
 * system calls itself. Does nothing for other programs, or if it is not permitted.
 */
void outside_watch(struct recording *s, const char *program);

/* The target has ended: stop the helper, after it has written all samples. */
void outside_stop(struct recording *s);

#endif
