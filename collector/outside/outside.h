/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of the target from outside, where it cannot load the collector. Normal
 * context of the launcher, one thread. The work is a helper process's, so that no file
 * of the target, however broken, can bring the launcher down.
 */
#ifndef ERTOOLS_OUTSIDE_OUTSIDE_H
#define ERTOOLS_OUTSIDE_OUTSIDE_H

#include <sys/types.h>

#include "collector/outside/worker.h"
#include "share/image.h"
#include "share/types.h"

struct ctl;
struct session;

/* All zero = nothing is sampled from outside. */
struct outside {
    int wanted;   /* the target is to be sampled so */
    int kin;      /* what it starts is to be sampled, too */
    int only_kin; /* and nothing else, as it can load the collector */
    int from_now; /* it is its program already; else from its next exec on */
    /* In the helper, when the program is there: write the heads. NULL: they are. */
    void (*begin)(struct session *s);
    struct ctl *bell; /* who wakes the launcher; NULL = the experiment's own page */
    int started;  /* and was: also after the end */
    int stops;    /* by stops, as the kernel permits no perf events */
    struct worker worker;
};

/*
 * 1 if a program of this kind, which cannot load the collector, can be sampled from
 * outside, and the kernel permits it to this user.
 */
int outside_can(enum image_kind kind);

/*
 * Start sampling s->pid, from s->outside.from_now, every s->params.clock_ns. Returns 0;
 * or -errno, and nothing was started.
 */
int outside_start(struct session *s);

/*
 * Of a Go program that loads the collector: have sampled from outside what it starts,
 * as its runtime does that by system calls of its own. Nothing happens with others, nor
 * where that cannot be.
 */
void outside_watch(struct session *s, const char *program);

/* The target has ended: have the rest written, and wait for that. */
void outside_stop(struct session *s);

#endif
