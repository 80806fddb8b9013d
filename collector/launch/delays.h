/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at what only the kernel knows of threads that do not run: how long each has
 * waited for a processor (into its row), and whether the process is stopped (on the
 * control page). Nothing is asked of the threads. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_DELAYS_H
#define ERTOOLS_LAUNCH_DELAYS_H

#include <stddef.h>

#include "share/types.h"

struct session;

/* A thread whose end was not noticed yet. */
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
    u32 rows;    /* the first that was not looked at */
    u32 kept;    /* descriptors */
    u64 since;   /* CLOCK_MONOTONIC ns of the last look, 0 = none */
    int stopped; /* the process was, then */
};

/* Look at the threads of one process. Without memory some are left out. */
void delays_look(struct delays *d, struct session *s);

/* The process, a child of ours, has perhaps just been stopped, or gone on. */
void delays_changed(struct delays *d, struct session *s);

/* ns until the next look is worth its price: the more threads, the later. */
u64 delays_period(u32 threads);

/* Ends it: all zero again. */
void delays_close(struct delays *d);

#endif
