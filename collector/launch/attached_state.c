/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/attached_state.h"

#include <unistd.h>

#include "collector/attach/attach.h"
#include "collector/launch/debugged.h"
#include "collector/launch/family.h"
#include "collector/launch/signals.h"

#define ASK_NS 2000000000u /* ns that a new program has to send its request */

/* Does the file threads have a row that says that this thread is recorded? */
static int
is_recorded(void *arg, pid_t tid)
{
    const struct recording *s = arg;
    u64 end = __atomic_load_n(&s->experiment.ctl->file[FILE_threads].next,
                              __ATOMIC_ACQUIRE);
    struct rec_thread row[64];
    ssize_t len;

    for (u64 at = 0; at < end; at += sizeof(row)) {
        len = pread(s->experiment.file[FILE_threads], row, sizeof(row), (off_t)at);
        for (ssize_t i = 0; i < len / (ssize_t)sizeof(*row); i++)
            if (row[i].id && row[i].tid == (u32)tid && !row[i].death)
                return 1;
    }
    return 0;
}

void
attached_add_threads(struct recording *s)
{
    if (s->attach->pages && !s->over && !s->became && !attach_is_over(s->attach))
        (void)attach_threads(s->attach, is_recorded, s);
}

/*
 * Has the process executed another program, which is recorded, or which may still send
 * its request to be recorded?
 */
static int
lives_on(const struct recording *s)
{
    struct attach *a = s->attach;

    if (attach_has_ended(a) || !s->family)
        return 0;
    if (s->became || family_alive(s->family))
        return 1;
    if (!a->gone_since)
        a->gone_since = moment_mono();
    return moment_mono() - a->gone_since < ASK_NS;
}

int
attached_is_over(const struct recording *s)
{
    if (signals_leave() || debugged_leaves())
        return 1;
    return attach_is_over(s->attach) && !lives_on(s);
}
