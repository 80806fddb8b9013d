/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/clock.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

Test(clock, mono_is_the_kernels)
{
    struct timespec a, b;
    u64 now;

    clock_gettime(CLOCK_MONOTONIC, &a);
    now = clock_mono();
    clock_gettime(CLOCK_MONOTONIC, &b);
    cr_expect_geq(now, (u64)a.tv_sec * 1000000000u + (u64)a.tv_nsec);
    cr_expect_leq(now, (u64)b.tv_sec * 1000000000u + (u64)b.tv_nsec);
    cr_expect_eq(clock_read(9999), 0, "a clock that does not exist");
}

static void
check_ticks(void)
{
    cpu_set_t set;
    u32 cpu = ~0u;
    u64 last = 0;
    int only = -1;

    sched_getaffinity(0, sizeof(set), &set);
    for (int i = 0; i < CPU_SETSIZE && only < 0; i++)
        if (CPU_ISSET(i, &set))
            only = i;
    CPU_ZERO(&set);
    CPU_SET(only, &set);
    cr_assert_eq(sched_setaffinity(0, sizeof(set), &set), 0);
    for (int i = 0; i < 1000; i++) {
        u64 now = clock_ticks(&cpu);

        cr_assert_geq(now, last);
        cr_assert_eq(cpu, (u32)only);
        last = now;
    }
}

Test(clock, ticks_rise_and_name_the_processor)
{
    clock_start(0, NULL);
    check_ticks();
#ifdef __x86_64__
    clock_start(1, NULL);
    check_ticks();
#endif
}

static clock_function *
vdso(void)
{
    void *object = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = object ? dlsym(object, "__vdso_clock_gettime") : NULL;
    clock_function *function;

    memcpy(&function, &symbol, sizeof(function));
    return function;
}

Test(clock, ticks_by_the_vdso)
{
    u64 before = clock_read(CLOCK_MONOTONIC), now, after;

    clock_start(0, vdso());
    now = clock_mono();
    after = clock_read(CLOCK_MONOTONIC);
    cr_expect_geq(now, before);
    cr_expect_leq(now, after);
    check_ticks();
}

/* Forbid calls that tell the time or the processor. 0 or -1. */
static int
forbid_calls(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getcpu, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Status of a child that reads ticks, after it was forbidden to make calls for that. */
static int
read_without_calls(clock_function *function)
{
    int status = -1;
    pid_t pid = fork();
    u32 cpu;

    if (!pid) {
        clock_start(0, function);
        if (clock_makes_calls())
            _exit(1);
        if (forbid_calls())
            _exit(2);
        _exit(clock_ticks(&cpu) < clock_ticks(&cpu) ? 0 : 3);
    }
    waitpid(pid, &status, 0);
    return status;
}

Test(clock, knows_whether_it_makes_calls)
{
    int status = read_without_calls(vdso());

    /* 1: the kernel's clock is read by a call here, or there is no vdso. */
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "%x", (unsigned)status);
    cr_expect_eq(WEXITSTATUS(read_without_calls(NULL)), 1);
}

Test(clock, thread_times_are_rusage)
{
    struct rusage a, b;
    u64 user = 0, system = 0;

    getrusage(RUSAGE_THREAD, &a);
    clock_thread_times(&user, &system);
    getrusage(RUSAGE_THREAD, &b);
    cr_expect_geq(user, (u64)a.ru_utime.tv_usec * 1000);
    cr_expect_leq(user / 1000,
                  (u64)b.ru_utime.tv_sec * 1000000u + (u64)b.ru_utime.tv_usec);
    cr_expect_leq(system / 1000,
                  (u64)b.ru_stime.tv_sec * 1000000u + (u64)b.ru_stime.tv_usec);
}

#ifdef __x86_64__
static const struct timespec pause_20_ms = { 0, 20000000 };

/* At about its rate. */
static void
start_tsc(void)
{
    u64 first, before;
    u32 cpu;

    clock_start(1, NULL);
    first = clock_ticks(&cpu);
    before = clock_mono();
    nanosleep(&pause_20_ms, NULL);
    clock_start((u64)((double)(clock_ticks(&cpu) - first) * 1e9 /
                      (double)(clock_mono() - before)),
                NULL);
}

/* As a chunk's header has it, however long ago its first event was. */
Test(clock, mono_at_a_tick_that_is_past)
{
    const struct timespec pause = pause_20_ms;
    u64 least = ~0ull, before, tick, after, at;
    u32 cpu;

    start_tsc();
    for (int i = 0; i < 20; i++) {
        before = clock_mono();
        tick = clock_ticks(&cpu);
        after = clock_mono();
        nanosleep(&pause, NULL);
        at = clock_mono_at(tick);
        /* Where nothing came between the readings. */
        if (after - before >= least)
            continue;
        least = after - before;
        cr_expect_geq(at + pause.tv_nsec / 100, before);
        cr_expect_leq(at, after + pause.tv_nsec / 100);
    }
    clock_start(0, NULL);
    cr_expect_eq(clock_mono_at(12345), 12345, "ticks are ns");
}

/* A thread that reads the TSC is killed then. */
Test(clock, goes_on_where_the_tsc_is_forbidden)
{
    u64 last, now, before, slack;
    u32 cpu = ~0u;

    start_tsc();
    slack = clock_tsc_rate / 1000;
    last = clock_ticks(&cpu);
    clock_leave_tsc();
    clock_leave_tsc();
    cr_assert_eq(prctl(PR_SET_TSC, PR_TSC_SIGSEGV), 0);
    for (int i = 0; i < 1000; i++, last = now) {
        now = clock_ticks(&cpu);
        if (now < last || cpu > 4095)
            break;
    }
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    cr_expect_geq(now, last);
    before = __builtin_ia32_rdtsc();
    now = clock_ticks(&cpu);
    cr_expect_geq(now + slack, before, "the same ticks");
    cr_expect_leq(now, __builtin_ia32_rdtsc() + slack);
    before = clock_mono();
    cr_expect_leq(clock_mono_at(now), before + 1000000);
    cr_expect_geq(clock_mono_at(now) + 1000000000, before);
}
#endif

Test(clock, another_namespace_is_seen_through)
{
    const u64 hour = 3600000000000u;
    u64 now = clock_read(CLOCK_MONOTONIC);

    clock_start(0, NULL);
    clock_align(now, now);
    cr_expect_eq(clock_ahead, 0);
    clock_align(now, now - hour / 2);
    cr_expect_eq(clock_ahead, 0, "that long ago");
    clock_align(now, now - 2 * hour);
    cr_expect(clock_mono() - (now - 2 * hour) < hour);
    clock_align(now, now + 2 * hour);
    cr_expect(clock_mono() - (now + 2 * hour) < hour);
    clock_align(0, 0);
    clock_ahead = 0;
}
