/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs started by a process that is sampled from outside, or by its descendants.
 * They inherit no collector from it, so the helper gets a record of each exec from the
 * kernel, and asks the launcher to sample the program. Normal context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_CHILDREN_H
#define ERTOOLS_OUTSIDE_CHILDREN_H

#include "collector/outside/ring.h"
#include "share/ctl.h"

struct recording;

struct children_ring {
    int fd; /* polls as readable when there are records */
    struct perf_event_mmap_page *page;
};

/* All zero = nothing is watched. */
struct children {
    const struct recording *s;
    struct children_ring *ring;
    u32 count;
    u32 *asked; /* living processes whose sampling was requested */
    u32 asks, room;
};

/*
 * Watch the processes that s->pid creates: in all threads that it has now, or from its
 * exec on. If the kernel does not permit this, nothing is watched.
 */
void children_open(struct children *k, const struct recording *s);

/* Request sampling of the programs that were started since the last call. */
void children_poll(struct children *k);

/*
 * Call children_poll() repeatedly until `stop` can be read or its other end is closed.
 */
void children_serve(struct children *k, int stop);

#endif
