/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of a thread:
 *
 *   time since birth = CPU time + what records say + short waits + the call it is in
 *                    + what is not explained
 *
 * CPU time is exact, and so is the kernel's run delay (how long the thread was runnable
 * without a processor); but the launcher reads that only now and then. New run delay is
 * recorded at the next event: at a hit, up to the amount of unexplained time; at the
 * end of a call, the rest, which must be a part of the call's time. So no time is
 * recorded twice.
 *
 * If a thread has made no voluntary context switch since the last hit, unexplained time
 * can only be waiting for a processor, and is recorded at once. It may be more than the
 * run delay, which lacks time of interrupts and of the host of a virtual machine.
 *
 * Time that two readings of the launcher have not explained was spent in calls without
 * a hook. It is not recorded; the reader shows it as <unattributed wait>.
 */
#include "collector/sig/wall.h"

#include <sys/resource.h>

#include "collector/sig/clock.h"
#include "collector/sig/thread.h"
#include "collector/sig/walk_state.h"

enum {
    BRIEF_NS = 100000,
    BRIEF_TSC = 300000, /* the same at 3 GHz */
    LEAST_NS = 1000,    /* shorter times get no record */
};

u32 wall_is_on;

static struct {
    u64 tick;
    u64 mono;
} origin;

/* The thread's clocks at a moment. */
struct now {
    u64 ticks;
    u64 mono;
    u64 cpu;
    double rate; /* ns per tick */
};

void
wall_start(u32 is_on)
{
    u32 cpu;

    origin.tick = clock_ticks(&cpu);
    origin.mono = clock_mono();
    wall_is_on = is_on;
}

u64
wall_threshold(void)
{
    return clock_is_tsc ? BRIEF_TSC : BRIEF_NS;
}

static struct now
read_clocks(void)
{
    struct now now = { .rate = 1 };
    u32 cpu;

    now.cpu = clock_read(CLOCK_THREAD_CPUTIME_ID);
    now.ticks = clock_ticks(&cpu);
    now.mono = clock_mono();
    if (clock_is_tsc && now.ticks > origin.tick)
        now.rate = (double)(now.mono - origin.mono) / (double)(now.ticks - origin.tick);
    return now;
}

static u64
to_ns(const struct now *now, u64 ticks)
{
    return (u64)((double)ticks * now->rate);
}

static struct rusage
usage(void)
{
    struct rusage use = { 0 };

    sys_call4(SYS_getrusage, RUSAGE_THREAD, (long)(uintptr_t)&use, 0, 0);
    return use;
}

static u64
stopped(void)
{
    return space_ctl ? __atomic_load_n(&space_ctl->stopped, __ATOMIC_RELAXED) : 0;
}

void
wall_begin(struct thread *t, u64 delay)
{
    struct now now = read_clocks();
    struct rusage use = usage();

    t->wall = (struct wall){ .birth = now.mono, .cpu_birth = now.cpu,
                             .delay_birth = delay, .stop_told = stopped(),
                             .majflt = (u64)use.ru_majflt,
                             .switches = (u64)use.ru_nvcsw };
    if (t->row)
        t->row->delay_birth = t->row->delay_last = delay;
}

/* Time that nothing explains, less what was lost earlier; not below 0. */
static u64
unexplained(const struct thread *t, const struct now *now)
{
    const struct wall *w = &t->wall;
    u64 known = now->cpu - w->cpu_birth + w->told + w->lost, brief = 0;
    u64 wall = now->mono - w->birth;

    for (int i = 0; i < MSTATE_COUNT; i++)
        brief += w->brief[i];
    if (w->since && now->ticks > w->since)
        brief += now->ticks - w->since;
    known += to_ns(now, brief);
    return wall > known ? wall - known : 0;
}

static u64
least(u64 a, u64 b)
{
    return a < b ? a : b;
}

/* The run delay since the account began, when the launcher last read it. */
static u64
run_delay(const struct thread *t)
{
    u64 last = t->row ? __atomic_load_n(&t->row->delay_last, __ATOMIC_RELAXED) : 0;

    return last > t->wall.delay_birth ? last - t->wall.delay_birth : 0;
}

static u64
unreported_delay(const struct thread *t)
{
    u64 delay = run_delay(t);

    return delay > t->wall.delay_told ? delay - t->wall.delay_told : 0;
}

static u64
unreported_stop(const struct thread *t)
{
    u64 now = stopped();

    return now > t->wall.stop_told ? now - t->wall.stop_told : 0;
}

static void
put(struct thread *t, const struct now *now, u32 node, u32 state, u64 ns)
{
    struct rec_off r = { now->ticks, node, state, ns };
    unsigned char *p;

    if (ns < LEAST_NS)
        return;
    t->wall.told += ns;
    if (state == MSTATE_WAIT)
        t->wall.delay_told += ns;
    if (state == MSTATE_STOP)
        t->wall.stop_told += ns;
    p = writer_begin(&t->profile, FILE_profile, t->id, r.time, ER_RECORD_MAX);
    if (p)
        writer_commit(&t->profile, rec_put_off(&t->profile.codec, p, &r));
    if (!t->row)
        return;
    t->row->off_seen++;
    t->row->off_dropped += !p;
}

/*
 * If the frame of a hook that waits was left by a jump or an exception, the thread no
 * longer waits: forget the call.
 */
static void
forget_dead_call(struct thread *t, u64 sp)
{
    const struct walk *walk = t->walk;
    u64 frame = t->wall.frame;

    if (!t->wall.since || sp <= frame || frame < walk->lo || sp >= walk->hi)
        return;
    t->wall.since = 0;
    if (t->row)
        t->row->wait_since = 0;
}

/* 1 = there were page faults with I/O since has_faulted() was last called. */
static int
has_faulted(struct wall *w)
{
    u64 majflt = (u64)usage().ru_majflt;
    int has = majflt != w->majflt;

    w->majflt = majflt;
    return has;
}

/*
 * Decide on time that nothing explains, when the launcher has made a new reading. If
 * there were page faults with I/O, the time up to that reading is counted as theirs.
 * Time after that reading may be run delay, which the next reading will show; what the
 * next one does not explain is counted as page faults, too. Without faults, time that
 * two readings have not explained stays unexplained (lost). If more was recorded as run
 * delay than there can have been, delay_told is reduced.
 */
static void
settle(struct thread *t, const struct now *now, u64 rest)
{
    struct wall *w = &t->wall;
    u64 looked = __atomic_load_n(&space_ctl->looked, __ATOMIC_RELAXED);
    u64 old = least(rest, w->open), late, delay;
    int faulted;

    if (looked == w->looked)
        return;
    w->looked = looked;
    late = now->mono > looked ? now->mono - looked : 0;
    faulted = has_faulted(w);
    if (faulted)
        old = rest - least(rest, late);
    if (faulted || w->fault_due)
        put(t, now, w->node, MSTATE_FAULT, old);
    else
        w->lost += old;
    w->fault_due = faulted;
    w->open = rest - old;
    delay = run_delay(t) + late;
    w->delay_told = least(w->delay_told, delay);
}

/* 1 = since the last hit the thread has not waited for anything but a processor. */
static int
was_runnable(struct wall *w, const struct rusage *use)
{
    int was = w->inside == w->inside_hit && w->switches == (u64)use->ru_nvcsw;

    w->inside_hit = w->inside;
    w->switches = (u64)use->ru_nvcsw;
    return was;
}

void
wall_hit(struct thread *t, u32 node, u64 sp)
{
    struct now now = read_clocks();
    struct rusage use = usage();
    u64 rest, part;

    forget_dead_call(t, sp);
    t->wall.node = node;
    rest = unexplained(t, &now);
    part = least(rest, unreported_stop(t));
    put(t, &now, node, MSTATE_STOP, part);
    rest -= part;
    part = was_runnable(&t->wall, &use) ? rest : least(rest, unreported_delay(t));
    put(t, &now, node, MSTATE_WAIT, part);
    settle(t, &now, rest - part);
}

/*
 * Record `known` ns in this state. As much as fits into *rest is recorded as before the
 * call, the remainder as in the call, up to took, the call's time. Returns what is left
 * of took.
 */
static u64
put_known(struct thread *t, const struct now *now, u32 node, u32 state, u64 known,
          u64 *rest, u64 took)
{
    u64 before = least(known, *rest), within = least(known - before, took);

    *rest -= before;
    put(t, now, t->wall.node, state, before);
    put(t, now, node, state, within);
    return took - within;
}

void
wall_waited(struct thread *t, u32 state, u64 ticks, u32 node)
{
    struct now now = read_clocks();
    u64 took, rest;

    if (!t->wall.node)
        t->wall.node = node;
    took = to_ns(&now, ticks + t->wall.brief[state]);
    t->wall.brief[state] = 0;
    rest = unexplained(t, &now);
    /* The CPU time within the call is in the weights of hits. */
    took = least(took, rest);
    rest -= took;
    took = put_known(t, &now, node, MSTATE_STOP, unreported_stop(t), &rest, took);
    took = put_known(t, &now, node, MSTATE_WAIT, unreported_delay(t), &rest, took);
    put(t, &now, node, state, took);
    settle(t, &now, rest);
}

/*
 * Record the time that is not recorded yet, when the thread ends. Where the thread was
 * in it is not known; most likely it was where the last known stack says.
 */
void
wall_end(struct thread *t)
{
    struct now now = read_clocks();
    u64 rest, part;

    t->wall.since = 0;
    if (t->row)
        t->row->wait_since = 0;
    rest = unexplained(t, &now);
    if (!t->wall.node)
        return;
    part = least(rest, unreported_stop(t));
    put(t, &now, t->wall.node, MSTATE_STOP, part);
    rest -= part;
    part = least(rest, unreported_delay(t));
    put(t, &now, t->wall.node, MSTATE_WAIT, part);
    if (has_faulted(&t->wall) || t->wall.fault_due)
        put(t, &now, t->wall.node, MSTATE_FAULT, rest - part);
}
