/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/exec_outside.h"

#include <errno.h>
#include <string.h>

#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/preload/recording.h"
#include "collector/sig/gate.h"
#include "share/image.h"

int
exec_outside_is_walked(const char *reason)
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
    return gate_is_owner() ? HOW_EXEC : HOW_SPAWN;
}

void
exec_outside_lost(const char *program, const char *reason)
{
    if (gate_is_open())
        expt_event(EVENT_descendant_lost, base_name(program), reason, NULL, 0);
}

void
exec_outside_exec(const char *program, const char *reason)
{
    struct descend_outside b = { OUTSIDE_EXEC, how_of_exec(),
                                (u32)image_of_reason(reason), 0, base_name(program) };
    int saved = errno;

    if (descend_request_outside(&b) < 0)
        exec_outside_lost(program, reason);
    errno = saved;
}

void
exec_outside_failed(void)
{
    struct descend_outside b = { OUTSIDE_FAILED, how_of_exec(), 0, 0, "" };
    int saved = errno;

    (void)descend_request_outside(&b);
    errno = saved;
}

void
exec_outside_spawned(pid_t child, const char *program, const char *reason)
{
    struct descend_outside b = { OUTSIDE_SPAWNED, HOW_SPAWN,
                                (u32)image_of_reason(reason), (u32)child,
                                base_name(program) };
    int saved = errno;

    if (!exec_outside_is_walked(reason) || descend_request_outside(&b) < 0)
        recording_report_lost(program, reason);
    errno = saved;
}
