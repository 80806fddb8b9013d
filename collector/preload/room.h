/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Space in the data files when there is no launcher: if it was killed, the target
 * extends the files itself. Normal context, in hooks that the target calls anyway.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ROOM_H
#define ERTOOLS_COLLECTOR_PRELOAD_ROOM_H

#include "collector/sig/space.h"

/* Note which process is the launcher. Once, when recording starts. */
void room_start(void);

/* The same where the launcher is not our parent. */
void room_start_attached(void);

/* 1 = the launcher is still there. */
int room_has_launcher(void);

/* A file needs space and has not got it: extend it if the launcher has gone. */
void room_serve(void);

/* The launcher does not react, perhaps because it is stopped: extend files for it. */
void room_help(void);

/*
 * A descendant's files begin small. Make this one as long as a usual first segment, for
 * records that a handler will write soon: it cannot wait for room.
 */
void room_usual(enum er_file file);

/* The gate is open. */
static inline void
room_look(void)
{
    if (ER_UNLIKELY(__atomic_load_n(&space_ctl->want, __ATOMIC_RELAXED) & WANT_SPACE))
        room_serve();
}

#endif
