/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings of the target and its descendants, recorded when the kernel reports each of
 * them. Only if some counter records data addresses. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_REGIONS_H
#define ERTOOLS_LAUNCH_REGIONS_H

#include "collector/launch/session.h"

/* A processor's events, and the ring of them. */
struct regions_ring {
    int fd;
    void *page;
    size_t bytes; /* that are mapped there */
};

/* Does a session record mappings? */
int regions_wanted(const struct session *s);

/* Listen to what pid does from its next exec on, and to what it makes. */
void regions_start(struct regions *r, const struct session *s);

/*
 * Write the mappings that were reported since the last call to the file overview of the
 * process concerned: s, or one of its family.
 */
void regions_drain(struct regions *r, struct session *s);

/* Write all that a process has now, since `mono` (0 = for as long as is known). */
void regions_snapshot(struct session *s, u64 mono);

/* In a fork of the launcher: map the rings again, as their memory is not inherited. */
void regions_continue(struct regions *r);

void regions_end(struct regions *r);

/* A line of /proc/PID/maps as a record, name in the line; 0 if it is none. */
int regions_line(char *line, struct rec_region *out);

#endif
