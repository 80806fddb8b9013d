/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hit.h"

#include <linux/perf_event.h>
#include <sys/resource.h>

#include "collector/sig/bus.h"
#include "collector/sig/chain.h"
#include "collector/sig/chain_pass.h"
#include "collector/sig/clock.h"
#include "collector/sig/counter.h"
#include "collector/sig/gate.h"
#include "collector/sig/objtab.h"
#include "collector/sig/python.h"
#include "collector/sig/sys.h"
#include "collector/sig/wall.h"
#include "collector/sig/weight.h"

char hit_cookie;

enum {
    LONG_TSC = 300000, /* 100 us at 3 GHz: assume that no hit takes longer */
    LONG_NS = 100000,
    MAP_TSC = 600000000, /* between requests for the map: 0.2 s at 3 GHz */
    MAP_NS = 200000000,
    MAP_HASTE = 6, /* bits by which the first interval is shorter: 3 ms */
};

int
sig_is_ours(const struct thread *t, const siginfo_t *info)
{
    if (info->si_code == SI_TIMER)
        return info->si_value.sival_ptr == &hit_cookie;
    if (info->si_code == SI_QUEUE)
        return chain_is_nudge(info);
    /*
     * A signal by F_SETSIG has the reason in si_code (POLL_IN for an overflow) and the
     * descriptor in si_fd.
     */
    return t && info->si_code >= POLL_IN && info->si_code <= POLL_HUP &&
           ((t->perf.number >= 0 && info->si_fd == t->perf.number) ||
            counter_of(t, info->si_fd) >= 0);
}

/*
 * Copy the counts into the row, so that they are known even if the process is killed.
 */
static void
copy_counts(struct thread *t)
{
    if (t->row) {
        t->row->seen = t->events;
        t->row->dropped = t->dropped;
    }
}

static void
record(struct thread *t, u32 node, u64 ticks, u32 cpu, u32 mstate, u64 weight)
{
    struct rec_clock clock = { ticks, node, cpu, mstate, weight };
    unsigned char *p =
        writer_begin(&t->profile, FILE_profile, t->id, ticks, ER_RECORD_MAX);

    t->events++;
    if (ER_UNLIKELY(!p)) {
        t->dropped++;
        return;
    }
    writer_commit(&t->profile, rec_put_clock(&t->profile.codec, p, &clock));
    if (mstate == MSTATE_USER)
        t->given.user += weight;
    else
        t->given.system += weight;
}

/*
 * Ask the launcher to read the map, since an address is in no known object; but not at
 * every hit. Mappings of code come in clusters, when a runtime starts, so the first
 * requests follow each other soon, and further ones more and more slowly.
 */
static void
want_map(u64 ticks)
{
    static u64 asked;
    static u32 haste = MAP_HASTE;
    u64 rest = clock_is_tsc ? MAP_TSC : MAP_NS, since = ticks - asked;

    if (since < rest >> haste)
        return;
    if (since > 4 * rest)
        haste = MAP_HASTE;
    else if (haste)
        haste--;
    asked = ticks;
    space_want(WANT_MAP);
}

/*
 * Record a hit at the context uc, with the weight that the thread's clocks give.
 * is_perf: the perf clock fired, else the CPU-time timer.
 */
static void
record_hit(struct thread *t, const ucontext_t *uc, int is_perf)
{
    u64 pc = (u64)uc->uc_mcontext.gregs[REG_RIP];
    u32 flags = __atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED) | t->alone;
    struct cpu_times weight;
    u32 cpu, node, leaf;
    u64 ticks = clock_ticks(&cpu);

    weight = is_perf ? weight_of_perf(t, pc, ticks) : weight_of_timer(t, pc, ticks);
    if (!(weight.user | weight.system))
        return;
    if (ER_UNLIKELY(flags & CTL_SILENT)) {
        t->paused.user += weight.user;
        t->paused.system += weight.system;
        return;
    }
    if (ER_UNLIKELY(node_segment_wanted))
        space_more_nodes();
    node = sig_walk(t->walk, uc);
    if (ER_UNLIKELY(objtab_refresh_wanted))
        want_map(ticks);
    leaf = sig_walk_own(t->walk, node, uc);
    if (leaf == node)
        leaf = node = sig_python(t, node, uc);
    if (weight.user)
        record(t, leaf, ticks, cpu, MSTATE_USER, weight.user);
    if (weight.system)
        record(t, leaf, ticks, cpu, MSTATE_SYSTEM, weight.system);
    copy_counts(t);
    if (ER_UNLIKELY(wall_is_on))
        wall_hit(t, node, (u64)uc->uc_mcontext.gregs[REG_RSP]);
}

/*
 * The next period of the perf clock. If every == 1, hit k falls at (k + u_k) periods,
 * where u_k is the golden ratio's additive sequence (low discrepancy), with some noise,
 * so that no loop of the target is in step with it.
 *
 * Otherwise the period is changed once in several hits, so that the hits sweep over
 * about one period, forth and then back. The number of hits and the exact width of a
 * sweep are random, so that the places where sweeps turn move about, too.
 */
u64
sig_next_period(struct perf_clock *p)
{
    const u32 golden = 0x9e3779b9u; /* (sqrt(5) - 1) / 2 in 2^-32 */
    u32 random = weight_random(&p->random), before = p->phase;
    u64 sweep;

    p->hits = 0;
    if (p->every > 1) {
        p->hits = random % (p->every / 2);
        sweep = p->period * (0xf8000000u + (u64)(random >> 4)) >> 32;
        sweep /= p->every - p->hits;
        return p->turn++ & 1 ? p->period - sweep : p->period + sweep;
    }
    p->phase += golden + (random >> 8); /* up to 1/256 */
    return p->period + (p->period * p->phase >> 32) - (p->period * before >> 32);
}

/*
 * The time since the perf clock last expired, in ns; 0 if that is a quarter of a period
 * or more, which is not believed. Setting a period begins a new one, by which that time
 * would be lost: interrupts come late, 50 us and more in a virtual machine.
 */
static u64
lateness(struct perf_clock *p)
{
    u64 now = clock_read(CLOCK_THREAD_CPUTIME_ID);
    u64 late = (now - p->restarted) % p->current;

    p->restarted = now;
    return late < p->current / 4 ? late : 0;
}

/* Vary the perf clock's period when it is time to (see also source/perf.c). */
static void
vary(struct perf_clock *p)
{
    u64 id = 0, period;

    if (!p->every || ++p->hits < p->every || p->fd < 0)
        return;
    /*
     * Leave the descriptor alone if it is not ours: the target may have closed ours,
     * and have reused its number.
     */
    if (sys_call4(SYS_ioctl, p->fd, PERF_EVENT_IOC_ID, (long)(uintptr_t)&id, 0) < 0 ||
        id != p->id) {
        p->fd = -1;
        return;
    }
    period = sig_next_period(p);
    period -= lateness(p) / (p->every - p->hits);
    p->current = period;
    sys_call4(SYS_ioctl, p->fd, PERF_EVENT_IOC_PERIOD, (long)(uintptr_t)&period, 0);
}

static u64
nanoseconds(struct timeval tv)
{
    return ((u64)tv.tv_sec * 1000000u + (u64)tv.tv_usec) * 1000u;
}

void
sig_sample(struct thread *t, u32 cause, const char *label, u32 label_len)
{
    /* the members that are set: user to oublock, maxrss, handlers */
    enum { KNOWN_RUSAGE = 0xff | 1 << 9 | 1 << 11 };
    struct rusage use;
    struct rec_sample sample = { .cause = cause, .known = KNOWN_RUSAGE };
    u32 cpu;
    unsigned char *p;

    if (gate_limited) {
        space_want(WANT_SAMPLE); /* the launcher records it, without the label */
        return;
    }
    if (sys_call4(SYS_getrusage, RUSAGE_SELF, (long)(uintptr_t)&use, 0, 0) < 0)
        return;
    sample.time = clock_ticks(&cpu);
    sample.mono = clock_mono();
    sample.user = nanoseconds(use.ru_utime);
    sample.system = nanoseconds(use.ru_stime);
    sample.minflt = (u64)use.ru_minflt;
    sample.majflt = (u64)use.ru_majflt;
    sample.nvcsw = (u64)use.ru_nvcsw;
    sample.nivcsw = (u64)use.ru_nivcsw;
    sample.inblock = (u64)use.ru_inblock;
    sample.oublock = (u64)use.ru_oublock;
    sample.maxrss = (u64)use.ru_maxrss * 1024;
    sample.handlers = __atomic_load_n(&space_ctl->handlers, __ATOMIC_RELAXED);
    sample.label.s = label ? label : "";
    sample.label.len = label ? label_len : 0;
    /* The numbers may take more than ER_RECORD_MAX: thirteen of up to ten bytes. */
    p = writer_begin(&t->overview, FILE_overview, t->id, sample.time,
                     ER_RECORD_MAX * 3 + sample.label.len);
    if (p)
        writer_commit(&t->overview, rec_put_sample(&t->overview.codec, p, &sample));
}

static void
toggle_pause(struct thread *t)
{
    u32 flags = __atomic_fetch_xor(&space_ctl->flags, CTL_PAUSED, __ATOMIC_ACQ_REL);

    if (t)
        sig_sample(t, flags & CTL_PAUSED ? CAUSE_RESUME : CAUSE_PAUSE, NULL, 0);
    space_want(WANT_LOG);
}

/*
 * Handle the signals of collect's options -l and -y, which are for the collector alone.
 * They may come to a thread that is not recorded, or to a raw clone() that shares its
 * maker's thread pointer; a vfork child ignores them. 1 = the signal was one of these.
 */
static int
user_signal(struct thread *t, int signo)
{
    int pause = signo == hit_settings.pause_signal;

    if (!pause && signo != hit_settings.sample_signal)
        return 0;
    if (!gate_is_open() ||
        (!gate_limited &&
         (u32)sys_call4(SYS_getpid, 0, 0, 0, 0) != hit_settings.pid))
        return 1;
    if (t && !gate_limited && t->tid != (u32)sys_call4(SYS_gettid, 0, 0, 0, 0))
        t = NULL;
    if (pause)
        toggle_pause(t);
    else if (t)
        sig_sample(t, CAUSE_SIGNAL, NULL, 0);
    else
        space_want(WANT_SAMPLE);
    return 1;
}

/*
 * Remove our alternate stack from uc: when the handler returns, the kernel sets the
 * alternate stack that uc names.
 */
static void
leave_alt(struct thread *t, ucontext_t *uc)
{
    u64 sp = (u64)uc->uc_mcontext.gregs[REG_RSP], alt = (u64)(uintptr_t)t->alt;

    /*
     * Do nothing if the target has set another one by its own system call, or still
     * runs on ours.
     */
    if (uc->uc_stack.ss_sp != t->alt || (sp >= alt && sp < alt + t->alt_bytes))
        return;
    uc->uc_stack = (stack_t){ .ss_flags = SS_DISABLE };
    t->alt_ours = 0;
    t->alt_told.ss_size = 0;
}

/*
 * Go's runtime in a library uses SIGURG for preemption, and waits for the arrival of
 * each SIGURG that it sends. If ours was pending, the kernel has dropped Go's, so pass
 * one on after each of ours; one too many does Go no harm.
 */
static void
repeat_lost_signal(struct thread *t, void *context)
{
    siginfo_t info = { .si_signo = hit_signal, .si_code = SI_TKILL };

    info.si_pid = (pid_t)hit_settings.pid;
    chain_pass(t, &info, context);
}

/*
 * Add to the handlers' time what this hit has taken since `begin`, but at most a limit:
 * the thread may have been preempted in the meantime.
 */
static void
count_cost(u64 begin)
{
    u32 cpu;
    u64 end = clock_ticks(&cpu), most = clock_is_tsc ? LONG_TSC : LONG_NS;
    u64 took = end > begin ? end - begin : 0;

    __atomic_fetch_add(&space_ctl->handlers, clock_ns(took < most ? took : most),
                       __ATOMIC_RELAXED);
}

static void
on_hit(struct thread *t, const siginfo_t *info, const ucontext_t *uc)
{
    int is_timer = info->si_code == SI_TIMER;
    int counter = is_timer ? -1 : counter_of(t, info->si_fd);
    u32 cpu;
    u64 begin = clock_ticks(&cpu);

    if (counter < 0)
        record_hit(t, uc, !is_timer);
    if (counter < 0 && !is_timer)
        vary(&t->perf);
    if (t->counters)
        sig_count(t, counter, uc);
    count_cost(begin);
}

void
sig_handler(int signo, siginfo_t *info, void *context)
{
    /*
     * While the gate is shut, as in a child that a raw system call has created, nothing
     * is recorded (t is NULL); self then only says how the target handles our signal.
     */
    struct thread *self = thread_in_handler();
    struct thread *t = gate_is_open() ? self : NULL;

    if (user_signal(t, signo))
        return;
    if (!sig_is_ours(self, info)) {
        chain_pass(self, info, context);
        return;
    }
    if (t && space_ctl && info->si_code != SI_QUEUE) {
        sig_bus_open(context);
        on_hit(t, info, context);
        if (ER_UNLIKELY(thread_no_alt && !thread_alt_shared && t->alt_ours &&
                        !t->alt_instead))
            leave_alt(t, context);
        if (ER_UNLIKELY(thread_alt_shared && hit_signal == SIGURG))
            repeat_lost_signal(t, context);
    }
    chain_pass_held(self, context);
}
