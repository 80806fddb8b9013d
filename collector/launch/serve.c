/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/serve.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/maps.h"
#include "collector/launch/room.h"
#include "collector/launch/signals.h"
#include "share/logxml.h"

#define LIMIT_PERIOD 100000000u /* how often -L looks, ns */

enum timer {
    TIMER_SAMPLE,
    TIMER_BEGIN, /* of -t's window */
    TIMER_END,
    TIMER_LIMIT,
    TIMER_COUNT,
};

/* due: CLOCK_MONOTONIC ns, 0 = never. */
struct serving {
    struct session *s;
    struct maps maps;
    u64 due[TIMER_COUNT];
    u32 flags; /* of the control page, as log.xml tells them */
};

static void
sample(struct session *s, enum er_cause cause)
{
    struct ctl *ctl = s->experiment.ctl;
    u32 flags = __atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE);
    u32 born = flags & CTL_ATTACHED ? ctl->threads : 0;

    account_look(&s->account, s->pid, born);
    (void)overview_put(&s->overview, &s->experiment, moment_now(s->host.tsc), cause,
                       &s->account, NULL);
}

/* The target, or a signal to it, paused, resumed or ended the recording. */
static void
log_flags(struct serving *v)
{
    struct session *s = v->s;
    u32 flags = __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
    u32 changed = flags ^ v->flags;

    v->flags = flags;
    if (changed & CTL_PAUSED)
        (void)log_event(s->experiment.log,
                        flags & CTL_PAUSED ? EVENT_pause : EVENT_resume, moment_mono(),
                        "the target", NULL, NULL, 0);
    if (changed & flags & CTL_ENDED)
        (void)log_event(s->experiment.log, EVENT_terminated, moment_mono(),
                        "the target", NULL, NULL, 0);
}

static void
begin_window(struct serving *v)
{
    struct session *s = v->s;

    /* With -y, the user's signal decides. */
    if (s->request->paused)
        return;
    __atomic_fetch_and(&s->experiment.ctl->flags, ~(u32)CTL_PAUSED, __ATOMIC_ACQ_REL);
    (void)log_event(s->experiment.log, EVENT_resume, moment_mono(), "the time of -t",
                    NULL, NULL, 0);
    v->flags &= ~(u32)CTL_PAUSED;
    sample(s, CAUSE_RESUME);
}

static void
end_window(struct serving *v)
{
    struct session *s = v->s;

    __atomic_fetch_or(&s->experiment.ctl->flags, CTL_ENDED, __ATOMIC_ACQ_REL);
    v->flags |= CTL_ENDED;
    sample(s, CAUSE_END);
    (void)log_event(s->experiment.log, EVENT_terminated, moment_mono(),
                    "the time of -t", NULL, NULL, 0);
    memset(v->due, 0, sizeof(v->due));
}

/* The next time after now in step with the first one. */
static u64
next_due(u64 due, u64 now, u64 period)
{
    return due + ((now - due) / period + 1) * period;
}

static void
run_timer(struct serving *v, enum timer timer, u64 now)
{
    struct session *s = v->s;
    u64 due = v->due[timer];

    v->due[timer] = 0;
    switch (timer) {
    case TIMER_SAMPLE:
        v->due[timer] = next_due(due, now, s->request->sample_ns);
        sample(s, CAUSE_PERIODIC);
        break;
    case TIMER_BEGIN:
        begin_window(v);
        break;
    case TIMER_END:
        end_window(v);
        break;
    case TIMER_LIMIT:
        v->due[timer] = next_due(due, now, LIMIT_PERIOD);
        room_limit(s);
        break;
    default:
        break;
    }
}

static void
run_timers(struct serving *v)
{
    u64 now = moment_mono();

    for (int i = 0; i < TIMER_COUNT; i++)
        if (v->due[i] && v->due[i] <= now)
            run_timer(v, (enum timer)i, now);
}

static void
start_timers(struct serving *v)
{
    const struct request *r = v->s->request;
    u64 start = v->s->start.mono;

    if (r->sample_ns)
        v->due[TIMER_SAMPLE] = start + r->sample_ns;
    if (r->window && r->begin_ns)
        v->due[TIMER_BEGIN] = start + r->begin_ns;
    if (r->window && r->end_ns)
        v->due[TIMER_END] = start + r->end_ns;
    if (r->limit_mb)
        v->due[TIMER_LIMIT] = start + LIMIT_PERIOD;
}

/* Sleep until *want is not 0 or the next timer is due; other wake-ups do no harm. */
static void
sleep_until(const struct serving *v, u32 *want)
{
    u64 due = 0;
    struct timespec ts;

    for (int i = 0; i < TIMER_COUNT; i++)
        if (v->due[i] && (!due || v->due[i] < due))
            due = v->due[i];
    ts.tv_sec = (time_t)(due / 1000000000u);
    ts.tv_nsec = (long)(due % 1000000000u);
    syscall(SYS_futex, want, FUTEX_WAIT_BITSET, 0, due ? &ts : NULL, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

/* The system call, not waitid(3): it also tells what was used. */
static int
has_ended(pid_t pid, siginfo_t *ended, struct rusage *rusage)
{
    ended->si_pid = 0;
    return syscall(SYS_waitid, P_PID, pid, ended, WEXITED | WNOWAIT | WNOHANG,
                   rusage) == 0 &&
           ended->si_pid == pid;
}

void
serve(struct session *s, siginfo_t *ended, struct rusage *rusage)
{
    struct serving v = { .s = s };
    u32 *want = &s->experiment.ctl->want;

    start_timers(&v);
    v.flags = s->params.paused ? CTL_PAUSED : 0;
    for (;;) {
        u32 wanted = __atomic_exchange_n(want, 0, __ATOMIC_ACQ_REL);

        if (wanted & WANT_SPACE)
            room_serve(s);
        if (wanted & WANT_SPACE)
            room_limit(s);
        if (wanted & WANT_MAP)
            maps_refresh(&v.maps, s);
        if (wanted & WANT_LOG)
            log_flags(&v);
        if (wanted & WANT_SAMPLE)
            sample(s, CAUSE_SIGNAL);
        if ((wanted & SIGNALS_WAKE) && has_ended(s->pid, ended, rusage))
            break;
        run_timers(&v);
        sleep_until(&v, want);
    }
    maps_free(&v.maps);
}
