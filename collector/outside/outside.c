/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/outside.h"

#include <errno.h>

#include "collector/outside/halt.h"
#include "collector/outside/helper.h"
#include "collector/outside/worker.h"
#include "collector/session/session.h"
#include "share/err.h"
#include "share/logxml.h"

int
outside_can(enum image_kind kind)
{
    return image_is_walked(kind) && (ring_try(RING_ALL) == 0 || halt_try() == 0);
}

void
outside_watch(struct recording *s, const char *program)
{
    if (!s->params.follow || !s->params.clock_ns || s->no_library ||
        !image_is_go(program) || ring_try(RING_ALL) < 0)
        return;
    s->outside.children = s->outside.only_children = 1;
    (void)outside_start(s);
}

/* Sample by stopping threads. If that is not permitted either, return `refused`. */
static int
start_halts(struct recording *s, int refused)
{
    struct rings none = { .ring = NULL };
    int ret;

    if (halt_try() < 0)
        return refused;
    ret = halt_check(s->pid, !s->outside.from_now && !s->outside.begin);
    if (ret == 0)
        ret = worker_start(&s->outside.worker, s, &none, halt_run);
    s->outside.stops = ret == 0;
    return ret;
}

int
outside_start(struct recording *s)
{
    struct rings rings = { .ring = NULL };
    int ret = s->outside.only_children ? 0
              : s->outside.from_now
                  ? rings_open_now(&rings, s->pid, s->params.clock_ns, RING_ALL)
                  : rings_open(&rings, s->pid, s->params.clock_ns, RING_ALL);

    if (ret == 0)
        ret = worker_start(&s->outside.worker, s, &rings, helper_run);
    else if (ret != -ESRCH && ring_try(RING_ALL) < 0)
        ret = start_halts(s, ret);
    s->outside.started |= ret == 0;
    rings_close(&rings);
    return ret;
}

void
outside_stop(struct recording *s)
{
    struct outside *o = &s->outside;
    char why[WORKER_WHY];

    if (!o->worker.pid || !worker_stop(&o->worker, why) || o->only_children)
        return;
    /*
     * A descendant that has not executed its program yet has no log to write this to.
     */
    if (o->begin &&
        !(__atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE) & CTL_ATTACHED))
        return;
    (void)log_event(s->experiment.log, EVENT_outside_ended, moment_mono(), why, NULL,
                    NULL, 0);
    err_warn("sampling from outside ended early (%s): what the target did then is "
             "unattributed", why);
}
