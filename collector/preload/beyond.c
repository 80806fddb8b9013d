/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/beyond.h"

#include <errno.h>
#include <string.h>

#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/preload/recording.h"
#include "collector/sig/gate.h"
#include "share/image.h"

int
beyond_is_walked(const char *reason)
{
    return image_is_walked(image_of_reason(reason));
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/*
 * Who executes the program? HOW_EXEC: this process, which is recorded. HOW_SPAWN: a
 * vfork child of it, or a process that is not recorded and makes the request itself.
 */
static enum er_how
how_of_exec(void)
{
    return recording_is_owner() ? HOW_EXEC : HOW_SPAWN;
}

void
beyond_exec(const char *program, const char *reason)
{
    struct descend_beyond b = { BEYOND_EXEC, how_of_exec(),
                                (u32)image_of_reason(reason), 0, base_name(program) };
    int saved = errno;

    if (descend_ask_beyond(&b) < 0 && gate_is_open())
        expt_event(EVENT_descendant_lost, b.program, reason, NULL, 0);
    errno = saved;
}

void
beyond_failed(void)
{
    struct descend_beyond b = { BEYOND_FAILED, how_of_exec(), 0, 0, "" };
    int saved = errno;

    (void)descend_ask_beyond(&b);
    errno = saved;
}

void
beyond_spawned(pid_t child, const char *program, const char *reason)
{
    struct descend_beyond b = { BEYOND_SPAWNED, HOW_SPAWN,
                                (u32)image_of_reason(reason), (u32)child,
                                base_name(program) };
    int saved = errno;

    if (!beyond_is_walked(reason) || descend_ask_beyond(&b) < 0)
        recording_report_lost(program, reason);
    errno = saved;
}
