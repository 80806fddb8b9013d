/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about threads that do not run, which only the kernel has: how long each has
 * waited for a processor (written to its row), and for how long the process was stopped
 * (written to the control page). Read from /proc, without stopping threads. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_SESSION_DELAYS_H
#define ERTOOLS_SESSION_DELAYS_H

#include <stddef.h>

#include "share/types.h"

struct recording;

/* A thread that is still alive, as far as is known. */
struct delayed {
    u32 row; /* in the file threads */
    u32 tid; /* 0 = the row is not filled yet */
    u32 looks;
    int fd;  /* of its schedstat, -1 = opened for each look */
    u64 last;
};

/* All zero before the first look. */
struct delays {
    struct delayed *thread;
    u32 count;
    u32 room;
    u32 rows;    /* rows below this one were read */
    u32 kept;    /* descriptors */
    u64 since;   /* CLOCK_MONOTONIC ns of the last look, 0 = none */
    int stopped; /* the process was stopped then */
};

/* Read the delays of one process's threads. Without memory some are left out. */
void delays_look(struct delays *d, struct recording *s);

/* The process, a child of ours, may just have been stopped or continued. */
void delays_changed(struct delays *d, struct recording *s);

/* ns until the next look; longer for more threads, to limit the cost. */
u64 delays_period(u32 threads);

/* Free everything; *d is all zero afterwards. */
void delays_close(struct delays *d);

#endif
