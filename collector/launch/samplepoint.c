/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/samplepoint.h"

void
samplepoint_take(struct recording *s, enum er_cause cause)
{
    samplepoint_take_named(s, cause, NULL);
}

void
samplepoint_take_named(struct recording *s, enum er_cause cause, const char *name)
{
    struct ctl *ctl = s->experiment.ctl;
    u32 flags = __atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE);
    u32 born = flags & CTL_ATTACHED ? ctl->threads : 0;
    struct process_use own;

    if (s->became || s->over)
        return;
    account_read(&s->account, s->pid, born);
    own = s->account;
    own.use.user -= own.use.user < s->base_user ? own.use.user : s->base_user;
    own.use.system -= own.use.system < s->base_system ? own.use.system : s->base_system;
    (void)overview_put(&s->overview, &s->experiment, moment_now(s->host.tsc), cause,
                       &own, name);
    samplepoint_totals(s);
}

void
samplepoint_totals(struct recording *s)
{
    for (u32 i = 0; i < s->counters.count; i++) {
        struct rec_total r = { .counter = i };

        if (counter_read(&s->counters.counter[i], &r.value, &r.enabled, &r.running) ==
            0)
            (void)overview_total(&s->overview, &s->experiment, moment_now(s->host.tsc),
                                 &r);
    }
}
