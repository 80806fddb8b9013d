/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/room.h"

#include <stdio.h>
#include <string.h>

#include "share/logxml.h"

enum {
    LITTLE = 65536, /* less than this is left: some writer will soon find none */
    MEGABYTE = 1000000,
};

static void
no_space(struct session *s, enum er_file file, int error)
{
    u32 *flags = &s->experiment.ctl->flags;

    if (__atomic_fetch_or(flags, CTL_NO_SPACE, __ATOMIC_ACQ_REL) & CTL_NO_SPACE)
        return;
    (void)log_event(s->experiment.log, EVENT_disk_full, moment_mono(),
                    er_files[file].name, strerror(-error), NULL, 0);
}

void
room_serve(struct session *s)
{
    struct ctl *ctl = s->experiment.ctl;

    if (__atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE) & (CTL_NO_SPACE | CTL_LIMIT))
        return;
    for (int i = 0; i < FILE_COUNT; i++) {
        u64 next = __atomic_load_n(&ctl->file[i].next, __ATOMIC_ACQUIRE);
        int ret = experiment_grow(&s->experiment, (enum er_file)i,
                                  (next / ER_SEGMENT + 2) * ER_SEGMENT);

        if (ret < 0 && next + LITTLE > ctl->file[i].reserved)
            no_space(s, (enum er_file)i, ret);
    }
}

u64
room_used(const struct ctl *ctl)
{
    u64 used = 0;

    for (int i = 0; i < FILE_COUNT; i++)
        used += __atomic_load_n(&ctl->file[i].next, __ATOMIC_ACQUIRE);
    return used;
}

void
room_limit(struct session *s)
{
    u64 mb = s->request->limit_mb;
    u32 *flags = &s->experiment.ctl->flags;
    char text[32];

    if (!mb || room_used(s->experiment.ctl) < mb * MEGABYTE)
        return;
    if (__atomic_fetch_or(flags, CTL_LIMIT, __ATOMIC_ACQ_REL) & CTL_LIMIT)
        return;
    snprintf(text, sizeof(text), "%llu", (unsigned long long)mb);
    (void)log_event(s->experiment.log, EVENT_size_limit, moment_mono(), text, NULL,
                    NULL, 0);
}
