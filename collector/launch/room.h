/* SPDX-License-Identifier: Apache-2.0 */
/* Room in the data files while the target records. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_ROOM_H
#define ERTOOLS_LAUNCH_ROOM_H

#include "collector/launch/session.h"

/*
 * Make and reserve the files that not every experiment has: of what is traced, which no
 * handler could wait for, and of counters. 0 or -errno. Before the target runs.
 */
int room_optional(struct session *s);

/* 1 when anything is traced. */
int room_are_traces(const struct request *request);

/*
 * Bring a descendant's files to what a founder's have at once: it is not a short one.
 * No room for that is no error yet.
 */
void room_usual(struct session *s);

/* For how many ns after its start a descendant may do without that. */
u64 room_narrow_ns(const struct session *s);

/*
 * Make each file reach one segment beyond the one in use. Where it cannot, and little
 * is left, recording ends with CTL_NO_SPACE and an event.
 */
void room_serve(struct session *s);

/*
 * Bytes given out to the target in a file, in all files. What it claims beyond what
 * there is does not count: a stray store of its own may have written that.
 */
u64 room_given_out(const struct ctl *ctl, int file);
u64 room_used(const struct ctl *ctl);

/* End recording with CTL_LIMIT and an event when -L's limit is reached. */
void room_limit(struct session *s);

#endif
