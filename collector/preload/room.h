/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Space in the data files when there is no launcher: if the launcher was killed, the
 * target extends the files itself. Normal context, in hooks that the target calls
 * anyway.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ROOM_H
#define ERTOOLS_COLLECTOR_PRELOAD_ROOM_H

#include "collector/sig/space.h"

/*
 * Keep our parent's pid: in the founder, it is the launcher. Once, when recording
 * starts.
 */
void room_start(void);

/*
 * As room_start(), in a process to which collect attached: the launcher is not our
 * parent.
 */
void room_start_attached(void);

/* 1 = the launcher is still there. */
int room_has_launcher(void);

/*
 * A file needs space that the launcher has not provided: extend it if the launcher has
 * ended.
 */
void room_serve(void);

/*
 * Extend files for a launcher that does not react, for instance because it is stopped.
 */
void room_help(void);

/*
 * If a file in use is smaller than a segment, as a descendant's files are at first,
 * extend it to one: for records that a handler will write soon, as it cannot wait for
 * space.
 */
void room_usual(enum er_file file);

/*
 * Extend files that need space, in case the launcher does not. Call only while the gate
 * is open.
 */
static inline void
room_extend_files(void)
{
    if (ER_UNLIKELY(__atomic_load_n(&space_ctl->want, __ATOMIC_RELAXED) & WANT_SPACE))
        room_serve();
}

#endif
