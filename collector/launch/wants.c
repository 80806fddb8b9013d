/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/wants.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/launch/heapscan.h"
#include "collector/launch/room.h"
#include "collector/launch/samplepoint.h"
#include "share/logxml.h"

/*
 * Log that a store of the target to a file failed: the file was truncated, or its file
 * system had no room for reserved space.
 */
static void
log_cut(struct recording *s)
{
    u32 file = __atomic_load_n(&s->experiment.ctl->cut, __ATOMIC_ACQUIRE) - 1;
    enum er_event event = EVENT_disk_full;
    struct stat st;

    if (file >= FILE_COUNT)
        return;
    if (fstat(s->experiment.file[file], &st) == 0 &&
        (u64)st.st_size < s->experiment.ctl->file[file].reserved)
        event = EVENT_cut;
    (void)log_event(s->experiment.log, event, moment_mono(), er_files[file].name,
                    event == EVENT_cut ? NULL : strerror(ENOSPC), NULL, 0);
}

/*
 * Log that the target, or a signal to it, has paused, resumed or ended the recording.
 */
static void
log_flags(struct recording *s, u32 *known)
{
    u32 flags = __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
    u32 changed = flags ^ *known;

    *known = flags;
    s->was_paused |= (changed & CTL_PAUSED) != 0;
    if (changed & CTL_PAUSED)
        (void)log_event(s->experiment.log,
                        flags & CTL_PAUSED ? EVENT_pause : EVENT_resume, moment_mono(),
                        "the target", NULL, NULL, 0);
    if (changed & flags & CTL_CUT)
        log_cut(s);
    if (changed & flags & CTL_ENDED)
        (void)log_event(s->experiment.log, EVENT_terminated, moment_mono(),
                        "the target", NULL, NULL, 0);
}

void
wants_serve(struct recording *s, struct maps *maps, u32 *flags, u32 wanted)
{
    if (wanted & WANT_SPACE)
        room_serve(s);
    if (wanted & WANT_MAP)
        maps_refresh(maps, s);
    if (wanted & WANT_LOG)
        log_flags(s, flags);
    if (wanted & WANT_SAMPLE)
        samplepoint_take(s, CAUSE_SIGNAL);
    if (wanted & WANT_SCAN)
        heapscan_serve(s);
}
