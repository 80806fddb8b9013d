/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/unrecorded.h"

#include <stdlib.h>

enum {
    USUAL_NS = 20000000, /* do not report less than this */
    EACH_NS = 3000000,   /* plus this per process: its last 0.5 ms have no record */
};

/* How many experiments a founder has on disk, itself included; 0 = not known. */
static u32
experiments_of(const struct experiment *founder)
{
    char **path = NULL, *why = NULL;
    u32 count = 0;

    if (experiment_expand(founder->path, &path, &count, &why) < 0)
        count = 0;
    for (u32 i = 0; i < count; i++)
        free(path[i]);
    free(path);
    free(why);
    return count;
}

u64
unrecorded_time(const struct session *session, u32 founder)
{
    const struct experiment *first = session->experiment[founder];
    const struct log_event_row *end =
        first->is_founder ? log_end(&first->log) : NULL;
    u64 all = end ? log_event_number(end, "descendants", 0) : 0;
    u64 known = 0, usual = USUAL_NS;
    u32 here = 0;

    if (all < usual)
        return 0;
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];

        if (e->founder != first->founder)
            continue;
        here++;
        if (e->pid == first->pid)
            continue;
        if (!e->has_account)
            return 0;
        known += e->user + e->system;
        usual += EACH_NS;
    }
    if (all <= known + usual || here != experiments_of(first))
        return 0;
    return all - known;
}
