/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs started by a process that is sampled from outside, or by its descendants.
 * They inherit no collector from it, so the helper gets a record of each exec from the
 * kernel, and asks the launcher to sample the program. Normal context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_KIN_H
#define ERTOOLS_OUTSIDE_KIN_H

#include "collector/outside/ring.h"
#include "share/ctl.h"

struct recording;

struct kin_ring {
    int fd; /* polls as readable when there are records */
    struct perf_event_mmap_page *page;
};

/* All zero = nothing is watched. */
struct kin {
    const struct recording *s;
    struct kin_ring *ring;
    u32 count;
    u32 *asked; /* living processes whose sampling was requested */
    u32 asks, room;
};

/*
 * Watch the processes that s->pid creates: in all threads that it has now, or from its
 * exec on. If the kernel does not permit this, nothing is watched.
 */
void kin_open(struct kin *k, const struct recording *s);

/* Request sampling of the programs that were started since the last call. */
void kin_look(struct kin *k);

/* Call kin_look() repeatedly until `stop` can be read or its other end is closed. */
void kin_serve(struct kin *k, int stop);

#endif
