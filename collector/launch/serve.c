/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/serve.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/attached.h"
#include "collector/launch/debugged.h"
#include "collector/launch/family.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/maps.h"
#include "collector/launch/pending_children.h"
#include "collector/launch/regions.h"
#include "collector/launch/room.h"
#include "collector/launch/signals.h"
#include "collector/madecode/madecode.h"
#include "share/logxml.h"

#define LIMIT_PERIOD 100000000u /* ns between checks of the size limit of -L */
#define LOOK_PERIOD 100000000u  /* ns between looks for descendants that have ended */
#define MADE_FIRST 200000000u   /* ns until files of made code are first read */
#define MADE_PERIOD 1000000000u
#define REGIONS_PERIOD 20000000u
#define FORK_NS 2000000000u /* a machine may be busy */

enum timer {
    TIMER_SAMPLE,
    TIMER_BEGIN, /* of -t's window */
    TIMER_END,
    TIMER_LIMIT,
    TIMER_LOOK,
    TIMER_WIDEN, /* young descendants' files */
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
    u32 flags; /* of the control page, as log.xml tells them */
};

void
serve_sample(struct recording *s, enum er_cause cause)
{
    serve_named_sample(s, cause, NULL);
}

void
serve_named_sample(struct recording *s, enum er_cause cause, const char *name)
{
    struct ctl *ctl = s->experiment.ctl;
    u32 flags = __atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE);
    u32 born = flags & CTL_ATTACHED ? ctl->threads : 0;
    struct process_use own;

    if (s->became || s->over)
        return;
    account_look(&s->account, s->pid, born);
    own = s->account;
    own.use.user -= own.use.user < s->base_user ? own.use.user : s->base_user;
    own.use.system -= own.use.system < s->base_system ? own.use.system : s->base_system;
    (void)overview_put(&s->overview, &s->experiment, moment_now(s->host.tsc), cause,
                       &own, name);
    serve_totals(s);
}

void
serve_totals(struct recording *s)
{
    for (u32 i = 0; i < s->counters.count; i++) {
        struct rec_total r = { .counter = i };

        if (counter_read(&s->counters.counter[i], &r.value, &r.enabled, &r.running) ==
            0)
            (void)overview_total(&s->overview, &s->experiment, moment_now(s->host.tsc),
                                 &r);
    }
}

static void
sample(struct serving *v, enum er_cause cause)
{
    serve_sample(v->s, cause);
    if (v->s->family)
        family_sample(v->s->family, cause);
}

/*
 * Log that a store of the target to a file failed: the file was truncated, or its file
 * system had no room for reserved space.
 */
static void
log_cut(struct recording *s)
{
    u32 file = __atomic_load_n(&s->experiment.ctl->cut, __ATOMIC_ACQUIRE) - 1;
    enum er_event event = EVENT_disk_full;
    struct stat st;

    if (file >= FILE_COUNT)
        return;
    if (fstat(s->experiment.file[file], &st) == 0 &&
        (u64)st.st_size < s->experiment.ctl->file[file].reserved)
        event = EVENT_cut;
    (void)log_event(s->experiment.log, event, moment_mono(), er_files[file].name,
                    event == EVENT_cut ? NULL : strerror(ENOSPC), NULL, 0);
}

/*
 * Log that the target, or a signal to it, has paused, resumed or ended the recording.
 */
static void
log_flags(struct recording *s, u32 *known)
{
    u32 flags = __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
    u32 changed = flags ^ *known;

    *known = flags;
    s->was_paused |= (changed & CTL_PAUSED) != 0;
    if (changed & CTL_PAUSED)
        (void)log_event(s->experiment.log,
                        flags & CTL_PAUSED ? EVENT_pause : EVENT_resume, moment_mono(),
                        "the target", NULL, NULL, 0);
    if (changed & flags & CTL_CUT)
        log_cut(s);
    if (changed & flags & CTL_ENDED)
        (void)log_event(s->experiment.log, EVENT_terminated, moment_mono(),
                        "the target", NULL, NULL, 0);
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
    if (s->attach && !s->over) /* to leave ends it, with all accounts */
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
look_at_delays(struct recording *s)
{
    u32 threads = 0;

    if (!s->over) {
        delays_look(&s->delays, s);
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
        room_limit(s);
        break;
    case TIMER_LOOK:
        family_look(s->family);
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
        attached_look(s);
        v->due[timer] = now + LOOK_PERIOD;
        break;
    case TIMER_DELAYS:
        v->due[timer] = now + look_at_delays(s);
        break;
    case TIMER_MADE:
        v->due[timer] = now + (madecode_has_list(s) ? LOOK_PERIOD : MADE_PERIOD);
        if (!s->over)
            madecode_look(s);
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

void
serve_wanted(struct recording *s, struct maps *maps, u32 *flags, u32 wanted)
{
    if (wanted & WANT_SPACE)
        room_serve(s);
    if (wanted & WANT_MAP)
        maps_refresh(maps, s);
    if (wanted & WANT_LOG)
        log_flags(s, flags);
    if (wanted & WANT_SAMPLE)
        serve_sample(s, CAUSE_SIGNAL);
    if (wanted & WANT_SCAN)
        heapscan_serve(s);
}

/*
 * Serve the requests and wants of descendants. As soon as there are any, check now and
 * then if one has ended.
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
 * in a row find no such child; a single one may miss a process that is just being
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
            serve_wanted(v->s, &v->maps, &v->flags, wanted);
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

        regions_drain(&s->regions, s);
        serve_wanted(s, &v.maps, &v.flags, wanted);
        if ((wanted & WANT_FAMILY) && s->family)
            serve_family(&v);
        if (wanted & (WANT_SPACE | WANT_FAMILY))
            room_limit(s);
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
    regions_drain(&s->regions, s);
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
    /* What was due before has been done. */
    if (v.due[TIMER_BEGIN] <= now)
        v.due[TIMER_BEGIN] = 0;
    if (v.due[TIMER_END] <= now)
        v.due[TIMER_END] = 0;
    v.due[TIMER_LOOK] = now;
    while (!signals_leave()) {
        u32 wanted = __atomic_exchange_n(want, 0, __ATOMIC_ACQ_REL);

        regions_drain(&s->regions, s);
        if (wanted & WANT_FAMILY)
            serve_family(&v);
        room_limit(s);
        run_timers(&v);
        if (!family_alive(s->family)) {
            await_forks(&v, want);
            if (!family_alive(s->family))
                break;
        }
        sleep_until(&v, want);
    }
}
