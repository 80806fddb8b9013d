/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/cputime.h"

#include <stddef.h>

#include "collector/inspect/account.h"
#include "collector/session/session.h"
#include "collector/sig/space.h"
#include "share/logxml.h"

void
cputime_begin(struct cputime *b)
{
    struct recording *s = b->s;

    if (b->begun)
        return;
    b->begun = 1;
    if (s->outside.begin)
        s->outside.begin(s);
    (void)log_event(s->experiment.log, EVENT_outside, s->start.mono, s->no_library,
                    NULL, NULL, 0);
    if (s->outside.stops)
        (void)log_event(s->experiment.log, EVENT_outside_halts, s->start.mono, NULL,
                        NULL, NULL, 0);
    if (!s->outside.begin)
        return;
    __atomic_fetch_or(&s->experiment.ctl->flags, CTL_ATTACHED, __ATOMIC_ACQ_REL);
    space_ring(WANT_FAMILY);
}

void
cputime_read(struct cputime *b)
{
    struct process_use account = { .total = 0 };

    if (!b->s->outside.begin)
        return;
    account_read(&account, b->s->pid, 0);
    if (account.use.user + account.use.system > b->user + b->system) {
        b->user = account.use.user;
        b->system = account.use.system;
    }
}

static void
put(struct cputime *b, u32 kind, u64 user, u64 system)
{
    threads_rest(threads_get(b->threads, (u32)b->s->pid, b->s->start.mono), kind,
                 process_tick(b->process, b->process->now.mono), (int64_t)user,
                 (int64_t)system);
}

void
cputime_startup(struct cputime *b, u64 counted)
{
    u64 total, system;

    cputime_read(b);
    total = b->user + b->system - counted;
    if ((int64_t)total <= 0)
        return;
    system = b->system < total ? b->system : total;
    b->s->base_system = system;
    put(b, RESIDUAL_STARTUP, total - system, system);
}

void
cputime_close(struct cputime *b)
{
    int64_t rest, system;

    if (!b->s->outside.begin || !b->begun)
        return;
    cputime_read(b);
    rest = (int64_t)(b->s->experiment.ctl->counted - b->threads->given);
    system = (int64_t)(b->system - b->s->base_system - b->threads->system);
    if (system < 0 || rest < 0)
        system = 0;
    else if (system > rest)
        system = rest;
    put(b, RESIDUAL_UNATTRIBUTED, (u64)(rest - system), (u64)system);
}
