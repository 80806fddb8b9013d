/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/limit.h"

#include <stdio.h>

#include "collector/launch/family.h"
#include "collector/launch/room.h"
#include "share/logxml.h"

enum { MEGABYTE = 1000000 };

void
limit_check(struct recording *s)
{
    u64 mb = s->request->limit_mb;
    u32 *flags = &s->experiment.ctl->flags;
    char text[32];
    u64 used;

    if (!mb)
        return;
    used = room_used(s->experiment.ctl) + (s->family ? family_used(s->family) : 0);
    if (used < mb * MEGABYTE)
        return;
    if (s->family)
        family_flags(s->family, CTL_LIMIT, 0, EVENT_COUNT, NULL);
    if (__atomic_fetch_or(flags, CTL_LIMIT, __ATOMIC_ACQ_REL) & CTL_LIMIT)
        return;
    snprintf(text, sizeof(text), "%llu", (unsigned long long)mb);
    (void)log_event(s->experiment.log, EVENT_size_limit, moment_mono(), text, NULL,
                    NULL, 0);
}
