/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/weight.h"

#include <sys/resource.h>

#include "collector/sig/clock.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/mem.h"

enum {
    ECHO_TSC = 300000, /* 100 us at 3 GHz */
    ECHO_NS = 100000,
    MANY_SWITCHES = 8, /* assume that the scheduler itself makes no more in a stretch */
    KEEP_TICKS = 25,   /* ticks in user mode after which kernel time is given up */
};

/* What the kernel has accounted to this thread between two ticks. */
struct stretch {
    struct cpu_times cpu;
    u32 switches;
    u32 faults;
};

static u64
nanoseconds(struct timeval tv)
{
    return ((u64)tv.tv_sec * 1000000u + (u64)tv.tv_usec) * 1000u;
}

static struct stretch
measure(struct thread *t)
{
    struct cpu_times now = t->seen;
    struct stretch s = { 0 };
    struct rusage use;
    u32 switches, faults;

    if (sys_call4(SYS_getrusage, RUSAGE_THREAD, (long)(uintptr_t)&use, 0, 0) < 0)
        return s;
    now.user = nanoseconds(use.ru_utime);
    now.system = nanoseconds(use.ru_stime);
    switches = (u32)(use.ru_nvcsw + use.ru_nivcsw);
    faults = (u32)(use.ru_minflt + use.ru_majflt);
    s.cpu.user = now.user - t->seen.user;
    s.cpu.system = now.system - t->seen.system;
    s.switches = switches - t->stretch.switches;
    s.faults = faults - t->stretch.faults;
    t->seen = now;
    t->stretch.switches = switches;
    t->stretch.faults = faults;
    if (t->row) {
        t->row->cpu_last = now.user + now.system;
        t->row->system_last = now.system;
    }
    return s;
}

static u64
unit(void)
{
    return hit_settings.clock_ns < hit_settings.tick_ns ? hit_settings.clock_ns
                                                        : hit_settings.tick_ns;
}

/*
 * Take all the time that is due, if it is at least half of a hit's nominal weight; else
 * take nothing and return 0.
 */
static u64
consume_due(u64 *due)
{
    u64 weight = (int64_t)*due >= (int64_t)(unit() / 2) ? *due : 0;

    *due -= weight;
    return weight;
}

u32
weight_random(u32 *state)
{
    u32 x = *state;

    /* Marsaglia, "Xorshift RNGs", 2003: the triple 13, 17, 5. */
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/*
 * The weight of a tick, without a perf clock. If the interval is longer than a tick,
 * only one random tick of several becomes a hit, so that hits do not run in step with
 * the target; it stands for all of them.
 */
static struct cpu_times
tick_weight(struct thread *t, int in_kernel)
{
    struct cpu_times weight = { 0, 0 };
    u64 twice = hit_settings.clock_ns * 2 / hit_settings.tick_ns;

    if (twice <= 2) {
        weight.user = consume_due(&t->due.user);
        weight.system = consume_due(&t->due.system);
        return weight;
    }
    if (t->skip && --t->skip)
        return weight;
    t->skip = 1 + (u32)(weight_random(&t->perf.random) % (twice - 1));
    *(in_kernel ? &weight.system : &weight.user) = t->due.user + t->due.system;
    t->due = (struct cpu_times){ 0, 0 };
    return weight;
}

static u64
square_root(u64 n)
{
    u64 root = 0;

    for (u64 bit = 1ull << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n)
            root += bit;
    return root;
}

/*
 * Make up for lost hits. The perf clock loses hits that fall due while the kernel
 * switches threads or serves interrupts, 2 to 4 % of them when threads outnumber
 * processors. What the thread has used beyond all weights, by more than chance
 * explains, is added to its next hits, up to the next tick or two; the rest stays
 * <unattributed>. Chance: part of a period, and half the deviation of system time,
 * which is known only from ticks.
 */
static void
settle(struct thread *t)
{
    struct perf_clock *p = &t->perf;
    u64 told = t->given.user + t->given.system + t->paused.user + t->paused.system;
    int64_t deficit = (int64_t)(t->seen.user + t->seen.system - told);
    u64 most = hit_settings.tick_ns / p->period / 4 + 1;
    u64 payable = 2 * most * p->period;

    deficit -= t->stretch.kernel + t->stretch.forgiven;
    deficit -= (int64_t)p->period;
    deficit -= (int64_t)square_root(hit_settings.tick_ns * t->seen.system) / 2;
    p->owed = 0;
    if (deficit <= 0)
        return;
    if ((u64)deficit > payable) {
        t->stretch.forgiven += deficit - (int64_t)payable;
        deficit = (int64_t)payable;
    }
    p->owed = (u32)((u64)deficit / p->period + 1);
    if (p->owed > most)
        p->owed = (u32)most;
}

/*
 * Did the timer's tick interrupt the kernel while it handled the perf clock's last hit
 * (interrupt, signal delivery, return)? Assume so if both have the same pc and are less
 * than 100 us apart. Such a tick does not show that the thread was in the kernel.
 */
static int
is_echo(const struct thread *t, u64 pc, u64 ticks)
{
    return pc == t->perf.last_pc &&
           ticks - t->perf.last_ticks < (clock_is_tsc ? ECHO_TSC : ECHO_NS);
}

/*
 * 1 if a system call instruction is at pc or right before it: the thread is about to
 * repeat the call, or returns from it.
 */
static int
is_at_call(u64 pc)
{
    u64 known = ~0ull;

    for (u64 at = pc - 2; at <= pc; at += 2) {
        unsigned char code[2];

        if (!mem_byte_readable(at, &known) || !mem_byte_readable(at + 1, &known))
            continue;
        __builtin_memcpy(code, (const void *)(uintptr_t)at, sizeof(code));
        if (code[0] == 0x0f && code[1] == 0x05)
            return 1;
    }
    return 0;
}

/*
 * Did the tick find the thread in the kernel, at work for the thread itself? Assume so
 * if the pc is at a system call, or if there were page faults and system time was most
 * of the stretch; not if the tick is an echo of a hit.
 */
static int
was_in_kernel(const struct thread *t, const struct stretch *s, u64 pc, u64 ticks)
{
    if (is_echo(t, pc, ticks))
        return 0;
    return (s->faults && s->cpu.system > s->cpu.user) || is_at_call(pc);
}

/*
 * Return the system time, in ns, that this tick stands for: all that no tick has got
 * yet, if this one found the thread in the kernel, and if the time is at least half of
 * a hit's nominal weight; else 0. A stretch adds what the kernel accounts. But if the
 * thread gives up the processor again and again, neither ticks nor the perf clock find
 * half of its system time; then a stretch adds the CPU time that hits in user mode
 * leave. If KEEP_TICKS ticks in a row find the thread in user mode, the time stays
 * <unattributed>.
 */
static u64
consume_kernel(struct thread *t, const struct stretch *s, int in_kernel)
{
    struct kernel_time *k = &t->stretch;
    u64 user = t->given.user + t->paused.user - k->user_told, weight;

    k->user_told += user;
    k->kernel += s->switches > MANY_SWITCHES
                     ? (int64_t)(s->cpu.user + s->cpu.system - user)
                     : (int64_t)s->cpu.system;
    if (in_kernel) {
        k->kept = 0;
        weight = k->kernel >= (int64_t)(unit() / 2) ? (u64)k->kernel : 0;
        k->kernel -= (int64_t)weight;
        return weight;
    }
    if (++k->kept > KEEP_TICKS) {
        k->forgiven += k->kernel;
        k->kernel = 0;
        k->kept = 0;
    }
    return 0;
}

/*
 * Only one hit in four gets owed time, so that the hits right after a tick do not get
 * it all.
 */
struct cpu_times
weight_of_perf(struct thread *t, u64 pc, u64 ticks)
{
    struct perf_clock *p = &t->perf;
    struct cpu_times weight = { p->period, 0 };

    p->last_pc = pc;
    p->last_ticks = ticks;
    if (ER_UNLIKELY(p->owed) && !(weight_random(&p->random) & 0x30000)) {
        p->owed--;
        weight.user += p->period;
    }
    return weight;
}

struct cpu_times
weight_of_timer(struct thread *t, u64 pc, u64 ticks)
{
    struct cpu_times weight = { 0, 0 };
    struct stretch s = measure(t);

    if (t->perf.number < 0) {
        t->due.user += s.cpu.user;
        t->due.system += s.cpu.system;
        return tick_weight(t, (int64_t)s.cpu.system > (int64_t)s.cpu.user);
    }
    weight.system = consume_kernel(t, &s, was_in_kernel(t, &s, pc, ticks));
    settle(t);
    return weight;
}
