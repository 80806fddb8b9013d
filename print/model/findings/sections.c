/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/findings/sections.h"

#include <string.h>

#include "print/load/wall.h"

bool
sections_has(struct experiment *experiment, enum er_file file)
{
    struct record_source source;

    if (file == FILE_profile)
        return experiment_clocked(experiment);
    return experiment_is_requested(experiment, file) ||
           experiment_source(experiment, file, &source) == 0;
}

bool
sections_any(const struct session *session, enum er_file file)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (sections_has(session->experiment[i], file))
            return true;
    return false;
}

const char *
sections_outside(const struct experiment *experiment)
{
    const struct log *log = &experiment->log;

    for (u32 i = 0; i < log->nevents; i++)
        if (!strcmp(log->event[i].id, "outside") ||
            !strcmp(log->event[i].id, "machine"))
            return log->event[i].sentence;
    return NULL;
}

bool
sections_all_outside(const struct session *session)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (!sections_outside(session->experiment[i]))
            return false;
    return session->nexperiments > 0;
}

bool
sections_wall(const struct session *session)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (wall_is_there(session->experiment[i]))
            return true;
    return false;
}
