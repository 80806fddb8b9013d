/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that are started below a process that is sampled from outside. It can hand
 * nothing down to them, so the kernel tells of each exec, and the launcher is asked to
 * sample them, too. Normal context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_KIN_H
#define ERTOOLS_OUTSIDE_KIN_H

#include "collector/outside/ring.h"
#include "share/ctl.h"

struct session;

struct kin_ring {
    int fd; /* polls as readable when there is news */
    struct perf_event_mmap_page *page;
};

/* All zero = nothing is watched. */
struct kin {
    const struct session *s;
    struct kin_ring *ring;
    u32 count;
    u32 *asked; /* processes that live, and that were asked for */
    u32 asks, room;
};

/*
 * Watch what s->pid makes, in threads that it has now, or from its exec on. What the
 * kernel does not permit is not watched.
 */
void kin_open(struct kin *k, const struct session *s);

/* Ask for what has been started since. */
void kin_look(struct kin *k);

/* Do that until the other end of `stop` says so. */
void kin_serve(struct kin *k, int stop);

#endif
