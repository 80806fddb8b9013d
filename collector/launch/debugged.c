/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/debugged.h"

#include <string.h>

#include "collector/attach/attach.h"
#include "collector/attach/debugger.h"
#include "collector/attach/proc.h"
#include "collector/launch/family.h"
#include "collector/launch/samplepoint.h"
#include "collector/launch/status.h"
#include "share/err.h"
#include "share/logxml.h"

static const char asker[] = "the debugger";
static int leaves;

int
debugged_connect(const struct request *request)
{
    int ret = request->debugger ? debugger_connect(request->debugger) : 0;

    if (ret == 0)
        return 0;
    err_warn("no debugger listens on '%s': %s", request->debugger, strerror(-ret));
    return STATUS_FAILED;
}

void
debugged_begin(const struct recording *s)
{
    debugger_send_last("recorded %d %s", (int)s->pid, s->path);
    debugger_listen();
}

/* Pause or resume the recording. */
static void
change(struct recording *s, u32 *flags, int pause)
{
    u32 *word = &s->experiment.ctl->flags, set = pause ? CTL_PAUSED : 0;
    enum er_event event = pause ? EVENT_pause : EVENT_resume;

    if ((__atomic_load_n(word, __ATOMIC_ACQUIRE) & CTL_PAUSED) == set)
        return;
    if (pause)
        __atomic_fetch_or(word, CTL_PAUSED, __ATOMIC_ACQ_REL);
    else
        __atomic_fetch_and(word, ~(u32)CTL_PAUSED, __ATOMIC_ACQ_REL);
    *flags = (*flags & ~(u32)CTL_PAUSED) | set;
    s->was_paused = 1;
    (void)log_event(s->experiment.log, event, moment_mono(), asker, NULL, NULL, 0);
    if (s->family)
        family_flags(s->family, set, CTL_PAUSED & ~set, event, asker);
    samplepoint_take(s, pause ? CAUSE_PAUSE : CAUSE_RESUME);
}

static void
obey(struct recording *s, u32 *flags, const char *line)
{
    if (!strcmp(line, "pause") || !strcmp(line, "resume")) {
        change(s, flags, *line == 'p');
        debugger_send_last("done");
    } else if (!strncmp(line, "sample ", 7)) {
        samplepoint_take_named(s, CAUSE_CALL, line + 7);
        debugger_send_last("done");
    } else if (!strcmp(line, "leave")) {
        leaves = 1;
    } else {
        debugger_send_last("unknown");
    }
}

void
debugged_serve(struct recording *s, u32 *flags)
{
    char line[DEBUGGER_LINE];

    while (!leaves && debugger_hear(line))
        obey(s, flags, line);
}

int
debugged_leaves(void)
{
    return leaves;
}

void
debugged_part(const struct recording *s)
{
    if (debugger_pid() &&
        proc_status(s->pid, s->pid, "TracerPid:", 10, 0) == (u64)debugger_pid())
        debugger_set_target(s->attach->pidfd);
}

void
debugged_close(const struct recording *s)
{
    if (s->request->debugger)
        __atomic_fetch_or(&s->experiment.ctl->flags, CTL_ENDED | CTL_CLOSED,
                          __ATOMIC_ACQ_REL);
}

void
debugged_end(const struct recording *s)
{
    debugger_send_last("left %s", s->path);
}
