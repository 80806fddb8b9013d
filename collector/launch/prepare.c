/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/prepare.h"

#include <string.h>
#include <sys/resource.h>

#include "collector/launch/plan.h"
#include "collector/launch/rank.h"
#include "collector/launch/room.h"
#include "share/err.h"
#include "share/logxml.h"

int
prepare_experiment(struct recording *s)
{
    const char *wanted = NULL;
    int status = plan_place(s, &wanted), ret, rank;

    if (status)
        return status;
    rank = s->request->ranks ? rank_by_environ() : -1;
    ret = rank < 0 ? name_create(s->parent, wanted ? wanted : s->request->unnamed,
                                 s->name, &s->experiment)
                   : rank_create(s, wanted, rank);
    if (ret < 0)
        return plan_refused(s, rank < 0 ? wanted : s->name, ret);
    ret = plan_paths(s);
    if (ret == 0)
        ret = room_optional(s);
    if (ret < 0) {
        experiment_discard(&s->experiment, s->parent, s->name);
        return plan_refused(s, s->name, ret);
    }
    if (rank < 0 && wanted && strcmp(wanted, s->name) != 0)
        err_warn("'%s' exists already: the experiment is %s", wanted, s->shown);
    return 0;
}

void
prepare_log_missing(struct recording *s)
{
    for (u32 i = 0; i < s->counters.missing; i++)
        (void)log_event(s->experiment.log, EVENT_counter_missing, s->start.mono,
                        s->counters.left_out[i].name, s->counters.left_out[i].why, NULL,
                        0);
}

/* Raise our own limit; the target's stays as it is. */
void
prepare_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}
