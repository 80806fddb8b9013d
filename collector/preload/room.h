/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room in the data files when the launcher is gone: it was killed, and the target makes
 * the files longer itself. Normal context, where the target calls us anyway.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ROOM_H
#define ERTOOLS_COLLECTOR_PRELOAD_ROOM_H

#include "collector/sig/space.h"

/* Remember who the launcher is. Once, as recording starts. */
void room_start(void);

/* The same where the launcher is not our parent. */
void room_start_attached(void);

/* 1 = the launcher is still there. */
int room_has_launcher(void);

/* Some file wants room, and nobody has come yet: make some if the launcher is gone. */
void room_serve(void);

/* The launcher does not come, as when it is stopped: make some room beside it. */
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
