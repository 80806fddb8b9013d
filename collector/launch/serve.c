/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/serve.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/attached_state.h"
#include "collector/launch/debugged.h"
#include "collector/launch/family.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/limit.h"
#include "collector/launch/maps.h"
#include "collector/launch/pending_children.h"
#include "collector/launch/regions.h"
#include "collector/launch/samplepoint.h"
#include "collector/launch/signals.h"
#include "collector/launch/wants.h"
#include "collector/madecode/madecode.h"
#include "collector/session/delays.h"
#include "share/logxml.h"

#define LIMIT_PERIOD 100000000u /* ns between checks of the size limit of -L */
#define LOOK_PERIOD 100000000u  /* ns between looks for descendants that have ended */
#define MADE_FIRST 200000000u   /* ns until files of made code are first read */
#define MADE_PERIOD 1000000000u
#define REGIONS_PERIOD 20000000u
#define FORK_NS 2000000000u /* ns to wait for an announced child */

enum timer {
    TIMER_SAMPLE,
    TIMER_BEGIN, /* begin and end of the window of -t */
    TIMER_END,
    TIMER_LIMIT,
    TIMER_LOOK,
    TIMER_WIDEN, /* give descendants that are no longer young more space */
    TIMER_REGIONS, /* read reported mappings before their ring is full */
    TIMER_DELAYS,
    TIMER_ATTACHED, /* new threads of a process that we attached to, and its end */
    TIMER_MADE,
    TIMER_COUNT,
};

/* due: CLOCK_MONOTONIC ns, 0 = never. */
struct serving {
    struct recording *s;
    struct maps maps;
    u64 due[TIMER_COUNT];
    u32 flags; /* flags of the control page that log.xml has reported */
};

static struct recording *
find(struct recording *s, pid_t pid)
{
    return pid == s->pid ? s : family_of_pid(s->family, pid);
}

static void
sample(struct serving *v, enum er_cause cause)
{
    samplepoint_take(v->s, cause);
    if (v->s->family)
        family_sample(v->s->family, cause);
}

static void
begin_window(struct serving *v)
{
    struct recording *s = v->s;

    /* With -y, the user's signal decides. */
    if (s->request->paused)
        return;
    __atomic_fetch_and(&s->experiment.ctl->flags, ~(u32)CTL_PAUSED, __ATOMIC_ACQ_REL);
    (void)log_event(s->experiment.log, EVENT_resume, moment_mono(), "the time of -t",
                    NULL, NULL, 0);
    v->flags &= ~(u32)CTL_PAUSED;
    if (s->family)
        family_flags(s->family, 0, CTL_PAUSED, EVENT_resume, "the time of -t");
    sample(v, CAUSE_RESUME);
}

static void
end_window(struct serving *v)
{
    struct recording *s = v->s;

    v->flags |= CTL_ENDED;
    if (s->attach && !s->over) /* serve() returns now, and collect detaches */
        return;
    __atomic_fetch_or(&s->experiment.ctl->flags, CTL_ENDED, __ATOMIC_ACQ_REL);
    sample(v, CAUSE_END);
    if (s->family)
        family_flags(s->family, CTL_ENDED, 0, EVENT_terminated, "the time of -t");
    (void)log_event(s->experiment.log, EVENT_terminated, moment_mono(),
                    "the time of -t", NULL, NULL, 0);
    v->due[TIMER_SAMPLE] = v->due[TIMER_BEGIN] = v->due[TIMER_LIMIT] = 0;
}

/* The first time after now that is a whole number of periods after `due`. */
static u64
next_due(u64 due, u64 now, u64 period)
{
    return due + ((now - due) / period + 1) * period;
}

/* Read the run delays of all processes. Returns ns until the next look. */
static u64
read_delays(struct recording *s)
{
    u32 threads = 0;

    if (!s->over) {
        delays_read(&s->delays, s);
        threads = s->delays.count;
    }
    if (s->family)
        threads += family_delays(s->family);
    return delays_period(threads);
}

static void
run_timer(struct serving *v, enum timer timer, u64 now)
{
    struct recording *s = v->s;
    u64 due = v->due[timer];

    v->due[timer] = 0;
    switch (timer) {
    case TIMER_SAMPLE:
        v->due[timer] = next_due(due, now, s->request->sample_ns);
        sample(v, CAUSE_PERIODIC);
        break;
    case TIMER_BEGIN:
        begin_window(v);
        break;
    case TIMER_END:
        end_window(v);
        break;
    case TIMER_LIMIT:
        v->due[timer] = next_due(due, now, LIMIT_PERIOD);
        limit_check(s);
        break;
    case TIMER_LOOK:
        family_reap(s->family);
        if (family_alive(s->family))
            v->due[timer] = now + LOOK_PERIOD;
        break;
    case TIMER_WIDEN:
        v->due[timer] = family_widen(s->family);
        break;
    case TIMER_REGIONS:
        v->due[timer] = now + REGIONS_PERIOD;
        break;
    case TIMER_ATTACHED:
        attached_add_threads(s);
        v->due[timer] = now + LOOK_PERIOD;
        break;
    case TIMER_DELAYS:
        v->due[timer] = now + read_delays(s);
        break;
    case TIMER_MADE:
        v->due[timer] = now + (madecode_has_list(s) ? LOOK_PERIOD : MADE_PERIOD);
        if (!s->over)
            madecode_read_new(s);
        if (s->family)
            family_made(s->family);
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

    v->due[TIMER_MADE] = start + MADE_FIRST;
    if (r->sample_ns)
        v->due[TIMER_SAMPLE] = start + r->sample_ns;
    if (r->window && r->begin_ns)
        v->due[TIMER_BEGIN] = start + r->begin_ns;
    if (r->window && r->end_ns)
        v->due[TIMER_END] = start + r->end_ns;
    if (v->s->regions.count)
        v->due[TIMER_REGIONS] = start + REGIONS_PERIOD;
    if (r->limit_mb)
        v->due[TIMER_LIMIT] = start + LIMIT_PERIOD;
    if (v->s->attach)
        v->due[TIMER_ATTACHED] = moment_mono() + LOOK_PERIOD;
    if (v->s->params.wall)
        v->due[TIMER_DELAYS] = start + delays_period(0);
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

/*
 * Has our child ended? The system call is used, since waitid(3) does not return the
 * resource use. The call also reports ptrace stops if a thread of ours has stopped the
 * process (leaks/stop.h).
 */
static int
has_ended(pid_t pid, siginfo_t *ended, struct rusage *rusage)
{
    ended->si_pid = 0;
    return syscall(SYS_waitid, P_PID, pid, ended, WEXITED | WNOWAIT | WNOHANG,
                   rusage) == 0 &&
           ended->si_pid == pid && ended->si_code <= CLD_DUMPED;
}

/*
 * Serve the requests and wants of descendants. From the first descendant on, check now
 * and then if one has ended.
 */
static void
serve_family(struct serving *v)
{
    struct family *f = v->s->family;

    family_serve(f);
    if (family_alive(f) && !v->due[TIMER_LOOK])
        v->due[TIMER_LOOK] = moment_mono() + LOOK_PERIOD;
    if (!v->due[TIMER_WIDEN])
        v->due[TIMER_WIDEN] = family_widen(f);
}

/*
 * Wait a little for the request of a child whose fork the target has announced:
 * daemon(), for one, forks just before the target's end. Stop waiting if two searches
 * in a row find no such child; a single search may miss a process that is just being
 * created.
 */
static void
await_forks(struct serving *v, u32 *want)
{
    const u64 until = moment_mono() + FORK_NS;
    const struct timespec look = { 0, 20000000 };
    int none = 0;

    while (v->s->family && none < 2 && moment_mono() < until &&
           __atomic_load_n(&v->s->experiment.ctl->forks, __ATOMIC_ACQUIRE)) {
        u32 wanted = __atomic_exchange_n(want, 0, __ATOMIC_ACQ_REL);

        if (!v->s->over)
            wants_serve(v->s, &v->maps, &v->flags, wanted);
        if (wanted & WANT_FAMILY) {
            serve_family(v);
            none = 0;
        } else {
            none = pending_children_live(v->s) ? 0 : none + 1;
            syscall(SYS_futex, want, FUTEX_WAIT, 0, &look, NULL, 0);
        }
    }
}

void
serve(struct recording *s, siginfo_t *ended, struct rusage *rusage)
{
    struct serving v = { .s = s };
    u32 *want = &s->experiment.ctl->want;

    start_timers(&v);
    v.flags = s->params.paused ? CTL_PAUSED : 0;
    for (;;) {
        u32 wanted = __atomic_exchange_n(want, 0, __ATOMIC_ACQ_REL);

        regions_drain(&s->regions, s, find);
        wants_serve(s, &v.maps, &v.flags, wanted);
        if ((wanted & WANT_FAMILY) && s->family)
            serve_family(&v);
        if (wanted & (WANT_SPACE | WANT_FAMILY))
            limit_check(s);
        if (wanted & SIGNALS_WAKE)
            delays_changed(&s->delays, s);
        if ((wanted & SIGNALS_WAKE) && s->request->debugger)
            debugged_serve(s, &v.flags);
        if (!s->attach && (wanted & SIGNALS_WAKE) && has_ended(s->pid, ended, rusage))
            break;
        run_timers(&v);
        if (s->attach && (attached_is_over(s) || v.flags & CTL_ENDED))
            break;
        sleep_until(&v, want);
    }
    await_forks(&v, want);
    regions_drain(&s->regions, s, find);
    maps_free(&v.maps);
    delays_close(&s->delays);
}

void
serve_descendants(struct recording *s)
{
    struct serving v = { .s = s };
    u32 *want = &s->experiment.ctl->want;
    u64 now = moment_mono();

    start_timers(&v);
    v.flags = s->experiment.ctl->flags;
    /* Cancel timers of -t that were due before: collect has run them. */
    if (v.due[TIMER_BEGIN] <= now)
        v.due[TIMER_BEGIN] = 0;
    if (v.due[TIMER_END] <= now)
        v.due[TIMER_END] = 0;
    v.due[TIMER_LOOK] = now;
    while (!signals_leave()) {
        u32 wanted = __atomic_exchange_n(want, 0, __ATOMIC_ACQ_REL);

        regions_drain(&s->regions, s, find);
        if (wanted & WANT_FAMILY)
            serve_family(&v);
        limit_check(s);
        run_timers(&v);
        if (!family_alive(s->family)) {
            await_forks(&v, want);
            if (!family_alive(s->family))
                break;
        }
        sleep_until(&v, want);
    }
}
