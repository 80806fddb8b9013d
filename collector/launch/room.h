/* SPDX-License-Identifier: Apache-2.0 */
/* Room in the data files while the target records. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_ROOM_H
#define ERTOOLS_LAUNCH_ROOM_H

#include "collector/session/session.h"

/*
 * Create the optional files, those of tracing and of counters, and reserve space in
 * them. Call it before the target runs: the collector's handlers in the target could
 * not wait for this. 0 or -errno.
 */
int room_optional(struct recording *s);

/* 1 if anything is traced. */
int room_are_traces(const struct request *request);

/*
 * Reserve as much space in a descendant's files as a founder has from the start, since
 * the descendant has turned out not to be short. A failure is not reported.
 */
void room_usual(struct recording *s);

/* For how many ns after its start a descendant counts as short. */
u64 room_narrow_ns(const struct recording *s);

/*
 * Make each file reach at least one segment beyond the one in use; make files that the
 * target asks for. If a file cannot be extended, and little of it is left, recording
 * ends with CTL_NO_SPACE and an event.
 */
void room_serve(struct recording *s);

/*
 * Bytes in use in a file, and in all files. Values on the control page that are larger
 * than the file are ignored: a stray store of the target may have written them.
 */
u64 room_file_used(const struct ctl *ctl, int file);
u64 room_used(const struct ctl *ctl);

#endif
