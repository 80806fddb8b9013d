/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings of the target and its descendants, recorded as the kernel reports them; only
 * if some counter records data addresses. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_REGIONS_H
#define ERTOOLS_LAUNCH_REGIONS_H

#include "collector/session/session.h"

/* The event that reports mappings made on one processor, and its ring. */
struct regions_ring {
    int fd;
    void *page;
    size_t bytes; /* bytes mapped at `page` */
};

/* Does a session record mappings? */
int regions_wanted(const struct recording *s);

/*
 * Have the kernel report the mappings that pid makes from its next exec on, and those
 * of the processes that it creates.
 */
void regions_start(struct region_rings *r, const struct recording *s);

/* Find the recorded process, s or one of its family, that has a pid; NULL = none. */
typedef struct recording *regions_find(struct recording *s, pid_t pid);

/*
 * Write the mappings that were reported since the last call to the file overview of the
 * process concerned, which find() returns. If a ring was full, write all mappings of s,
 * too.
 */
void regions_drain(struct region_rings *r, struct recording *s, regions_find *find);

/*
 * Write all mappings that a process has now, as existing since `mono` (CLOCK_MONOTONIC
 * ns; 0 = for as long as is known).
 */
void regions_snapshot(struct recording *s, u64 mono);

/*
 * Call in a fork of the launcher: map the rings again, as their memory is not
 * inherited.
 */
void regions_continue(struct region_rings *r);

void regions_end(struct region_rings *r);

/*
 * Make a record of a line of /proc/PID/maps; its name points into the line. Returns 1;
 * 0 = it is not such a line.
 */
int regions_line(char *line, struct rec_region *out);

#endif
