/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/clock.h"

#include <sys/resource.h>

u32 clock_is_tsc;
u32 clock_by_tsc;
u64 clock_tsc_rate;
u64 clock_ahead;

static u32 no_calls; /* see clock_leave_calls() */

/*
 * One moment on both clocks, from which times are converted when one of the clocks
 * cannot be read.
 */
static struct {
    u64 tick, mono;
} left;

enum {
    TRIES = 4,
    CLOSE = 250000, /* a reading within 1/CLOSE s is close enough */
    RATE_MIN = 1000000,
    CPU_MASK = 0xfff,
    READINGS = 16, /* so many together are measured, and so often */
    NS = 1000000000,
};

/*
 * The vdso's clock_gettime(), NULL = not used. On a virtual machine without a TSC of
 * its own, a system call may take 1.2 us, and the vdso 0.03.
 */
static clock_function *vdso_gettime;

/*
 * 1 = IA32_TSC_AUX does not have the processor's number: some hypervisors do not let
 * the kernel set it. Also 1 if this thread changed processors in between, which costs
 * some ns for each reading.
 */
static u32 aux_is_foreign;

static u32 segment_has_cpu; /* 1 = segment_limit() has the processor's number */

/* Limit of GDT_ENTRY_CPUNODE: node << 12 | cpu; `otherwise` if it is not readable. */
static u32
segment_limit(u32 otherwise)
{
    __asm__ volatile("lsl %1, %0" : "+r"(otherwise) : "r"(0x7b) : "cc");
    return otherwise;
}

static u32
ask_cpu(void)
{
    u32 cpu = 0;

    sys_call4(SYS_getcpu, (long)(uintptr_t)&cpu, 0, 0, 0);
    return cpu;
}

/* 1 if the segment's limit and the kernel agree; this thread may move in between. */
static u32
compare_cpu(void)
{
    for (u32 i = 0; i < TRIES; i++)
        if ((segment_limit(~0u) & CPU_MASK) == ask_cpu())
            return 1;
    return 0;
}

void
clock_start(u64 tsc_rate, clock_function *vdso)
{
    clock_tsc_rate = tsc_rate;
    clock_is_tsc = clock_by_tsc = tsc_rate != 0;
    vdso_gettime = tsc_rate ? NULL : vdso;
    segment_has_cpu = !tsc_rate && compare_cpu();
    if (tsc_rate) {
        u32 low, high, aux;

        __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
        aux_is_foreign = segment_limit(aux) != aux;
    }
}

u64
clock_mono(void)
{
    clock_function *vdso = __atomic_load_n(&vdso_gettime, __ATOMIC_RELAXED);
    struct timespec ts;

    if (!vdso || vdso(CLOCK_MONOTONIC, &ts))
        return clock_read(CLOCK_MONOTONIC) - clock_ahead;
    return (u64)ts.tv_sec * NS + (u64)ts.tv_nsec - clock_ahead;
}

/*
 * The least ns that some readings of CLOCK_MONOTONIC take, by the vdso, or by system
 * calls if vdso is NULL.
 */
static u64
least_time(clock_function *vdso)
{
    u64 least = ~0ull;
    struct timespec ts;

    for (u32 i = 0; i < READINGS; i++) {
        u64 before = clock_read(CLOCK_MONOTONIC), took;

        for (u32 k = 0; k < READINGS; k++)
            if (vdso)
                (void)vdso(CLOCK_MONOTONIC, &ts);
            else
                (void)clock_read(CLOCK_MONOTONIC);
        took = clock_read(CLOCK_MONOTONIC) - before;
        least = took < least ? took : least;
    }
    return least;
}

int
clock_makes_calls(void)
{
    if (clock_by_tsc)
        return 0;
    return !vdso_gettime || !segment_has_cpu ||
           2 * least_time(vdso_gettime) > least_time(NULL);
}

/*
 * value * to / from, computed so that it does not overflow when value is many seconds.
 */
static u64
scale(u64 value, u64 from, u64 to)
{
    return value / from * to + value % from * to / from;
}

static u64
ns_of(u64 ticks)
{
    return clock_tsc_rate < RATE_MIN ? 0 : scale(ticks, clock_tsc_rate, NS);
}

u64
clock_ns(u64 ticks)
{
    return clock_is_tsc ? ns_of(ticks) : ticks;
}

u64
clock_ticks_mono(void)
{
    u64 mono = clock_mono();

    if (!clock_is_tsc)
        return mono;
    return left.tick + scale(mono - left.mono, NS, clock_tsc_rate);
}

/* Linux keeps node << 12 | cpu in IA32_TSC_AUX (arch/x86/include/asm/segment.h). */
u64
clock_ticks(u32 *cpu)
{
    u32 low, high, aux;

    if (ER_UNLIKELY(!clock_by_tsc)) {
        *cpu = segment_has_cpu ? segment_limit(0) & CPU_MASK : ask_cpu();
        return clock_ticks_mono();
    }
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
    if (ER_UNLIKELY(aux_is_foreign))
        aux = segment_limit(aux);
    *cpu = aux & CPU_MASK;
    return (u64)high << 32 | low;
}

void
clock_align(u64 tick, u64 mono)
{
    /*
     * If this process may not use the TSC, the launcher's reading may be up to an hour
     * old.
     */
    int64_t late = clock_by_tsc ? NS : 3600ll * NS, ahead;
    u32 cpu;

    /* In a child, clock_ahead has its parent's value, which is most likely right. */
    ahead = (int64_t)(clock_mono() - mono);
    if (clock_is_tsc && !clock_by_tsc && ahead < late && ahead > -NS)
        return;
    clock_ahead = 0;
    if (clock_by_tsc)
        mono += ns_of(clock_ticks(&cpu) - tick);
    ahead = (int64_t)(clock_mono() - mono);
    if (ahead > late || ahead < -NS)
        clock_ahead = (u64)ahead;
}

static u64
mono_from(u64 mono, u64 then, u64 tick)
{
    return then > tick ? mono - ns_of(then - tick) : mono + ns_of(tick - then);
}

u64
clock_mono_at(u64 tick)
{
    u64 least = ~0ull, mono = 0, then = 0;
    u32 cpu;

    if (!clock_is_tsc)
        return tick;
    if (!clock_by_tsc || no_calls)
        return mono_from(left.mono, left.tick, tick);
    for (u32 i = 0; i < TRIES && least > clock_tsc_rate / CLOSE; i++) {
        u64 before = clock_ticks(&cpu), now = clock_mono();
        u64 took = clock_ticks(&cpu) - before;

        if (took >= least)
            continue;
        least = took;
        mono = now;
        then = before + took / 2;
    }
    return mono_from(mono, then, tick);
}

void
clock_leave_calls(void)
{
    u32 cpu;

    if (!clock_by_tsc || no_calls)
        return;
    left.tick = clock_ticks(&cpu);
    left.mono = clock_mono_at(left.tick);
    __atomic_store_n(&no_calls, 1, __ATOMIC_RELEASE);
}

void
clock_leave_tsc(void)
{
    u32 cpu;

    __atomic_store_n(&vdso_gettime, NULL, __ATOMIC_RELAXED);
    if (!clock_by_tsc)
        return;
    left.tick = clock_ticks(&cpu);
    left.mono = clock_mono_at(left.tick);
    __atomic_store_n(&clock_by_tsc, 0, __ATOMIC_RELEASE);
}

void
clock_thread_times(u64 *user, u64 *system)
{
    struct rusage use;

    if (sys_call4(SYS_getrusage, RUSAGE_THREAD, (long)(uintptr_t)&use, 0, 0) < 0)
        return;
    *user = ((u64)use.ru_utime.tv_sec * 1000000u + (u64)use.ru_utime.tv_usec) * 1000u;
    *system = ((u64)use.ru_stime.tv_sec * 1000000u + (u64)use.ru_stime.tv_usec) * 1000u;
}
