/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the unwinder with libunwind's unw_backtrace() and libgcc's backtrace(), in
 * one process, on the same stacks. Prints lines "WHAT DEPTH NS" (one unwinding, the
 * minimum of many rounds), from which bench/unwind computes ratios.
 */
#include <execinfo.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "collector/sig/rule.h"
#include "tests/targets/sig-self.h"

enum {
    MAX_DEPTH = 4096,
    ROUNDS = 60,
};

static struct walk *walk;
static const ucontext_t *context;
static void *addresses[MAX_DEPTH];
static int (*libunwind_backtrace)(void **, int);
static volatile u32 result;

static u64
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static __attribute__((noinline)) void
by_call(void)
{
    result = sig_walk_here(walk);
    __asm__ volatile("");
}

static __attribute__((noinline)) void
by_context(void)
{
    result = sig_walk(walk, context);
    __asm__ volatile("");
}

/* Unwind with empty caches. */
static __attribute__((noinline)) void
by_call_anew(void)
{
    objtab_generation++;
    result = sig_walk_here(walk);
    __asm__ volatile("");
}

static __attribute__((noinline)) void
by_libunwind(void)
{
    result = (u32)libunwind_backtrace(addresses, MAX_DEPTH);
    __asm__ volatile("");
}

static __attribute__((noinline)) void
by_libgcc(void)
{
    result = (u32)backtrace(addresses, MAX_DEPTH);
    __asm__ volatile("");
}

static __attribute__((noinline)) void
by_nobody(void)
{
    result = 0;
    __asm__ volatile("");
}

/* The function that is measured, its calls in a round, and the least ns of a call. */
static void (*way)(void);
static u32 repeats;
static double least;

static __attribute__((noinline)) void
measure_here(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        u64 start = now();

        for (u32 i = 0; i < repeats; i++)
            way();
        double each = (double)(now() - start) / repeats;

        if (each < least)
            least = each;
    }
}

static void
on_signal(int sig, siginfo_t *info, void *uc)
{
    (void)sig;
    (void)info;
    context = uc;
    measure_here();
}

static __attribute__((noinline)) void
measure_in_handler(void)
{
    raise(SIGURG);
    __asm__ volatile("");
}

static void (*at_the_leaf)(void);

/* Functions with several kinds of frames, which call each other down to a depth. */
static __attribute__((noinline)) int descend(int depth, int seed);

#define FRAME(n, bytes)                                        \
    static __attribute__((noinline)) int frame_##n(int depth, int seed) \
    {                                                          \
        char room[bytes];                                      \
        int sum;                                               \
                                                               \
        room[seed & 7] = (char)seed;                           \
        __asm__ volatile("" ::"r"(room) : "memory");           \
        sum = descend(depth - 1, seed * 5 + n);                \
        return sum + room[depth & 7] + seed;                   \
    }
FRAME(0, 8)
FRAME(1, 24)
FRAME(2, 40)
FRAME(3, 104)
FRAME(4, 200)
FRAME(5, 16)
FRAME(6, 64)
FRAME(7, 72)

static __attribute__((noinline)) int
descend(int depth, int seed)
{
    static int (*const frames[])(int, int) = { frame_0, frame_1, frame_2, frame_3,
                                               frame_4, frame_5, frame_6, frame_7 };
    int sum;

    if (depth <= 0) {
        at_the_leaf();
        return 1;
    }
    sum = frames[(seed >> 3) & 7](depth - 1, seed);
    __asm__ volatile("" : "+r"(sum));
    return sum;
}

static double
measure(void (*leaf)(void), void (*what)(void), int depth)
{
    way = what;
    at_the_leaf = leaf;
    least = 1e9;
    repeats = depth > 100 ? 300 : 2000;
    descend(depth, 12345);
    return least;
}

static __attribute__((noinline)) double
descend_in_turn(int depth)
{
    const int turns = 64;
    u64 start = now();

    for (int i = 0; i < turns; i++)
        descend(depth, i * 977);
    return (double)(now() - start) / turns;
}

/*
 * Measure with a wholly different stack each time: the difference to descending alone.
 */
static double
measure_changing(void (*what)(void), int depth)
{
    double with = 1e9, without = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        double each;

        at_the_leaf = by_nobody;
        each = descend_in_turn(depth);
        without = each < without ? each : without;
        at_the_leaf = what;
        each = descend_in_turn(depth);
        with = each < with ? each : with;
    }
    return with - without;
}

/*
 * libunwind is loaded by itself: if it were linked, it would replace libgcc's unwinder.
 */
static int (*load_libunwind(void))(void **, int)
{
    void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);

    return library ? (int (*)(void **, int))dlsym(library, "unw_backtrace") : NULL;
}

static const struct {
    const char *name;
    void (*leaf)(void);
    void (*what)(void);
} ways[] = {
    { "steady-call", measure_here, by_call },
    { "steady-handler", measure_in_handler, by_context },
    { "anew-call", measure_here, by_call_anew },
    { "libunwind-call", measure_here, by_libunwind },
    { "libunwind-handler", measure_in_handler, by_libunwind },
    { "libgcc-call", measure_here, by_libgcc },
    { "libgcc-handler", measure_in_handler, by_libgcc },
};

int
main(void)
{
    static const int depths[] = { 20, 200 };
    struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

    libunwind_backtrace = load_libunwind();
    self_start();
    walk = self_walk(WALK_FRAMES);
    sigaction(SIGURG, &sa, NULL);
    for (u32 i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        for (u32 j = 0; j < 2 && (ways[i].what != by_libunwind || libunwind_backtrace);
             j++)
            printf("%s %d %.1f\n", ways[i].name, depths[j],
                   measure(ways[i].leaf, ways[i].what, depths[j]));
    for (u32 j = 0; j < 2; j++) {
        printf("changing-call %d %.1f\n", depths[j],
               measure_changing(by_call, depths[j]));
        if (libunwind_backtrace)
            printf("changing-libunwind %d %.1f\n", depths[j],
                   measure_changing(by_libunwind, depths[j]));
        printf("changing-libgcc %d %.1f\n", depths[j],
               measure_changing(by_libgcc, depths[j]));
    }
    return 0;
}
