/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worksharing in programs compiled by Clang, Intel's and AMD's compilers. Sections are
 * static loops.
 */
#include "collector/libc/real.h"
#include "collector/omp/omp_loop.h"

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

#define PC __builtin_return_address(0)

/* libomp's numbers of schedules (enum sched_type); modifiers are in the upper bits. */
enum {
    SCHEDULE = 0xff,
    STATIC_CHUNKED = 33,
    STATIC = 34,
    DYNAMIC = 35,
    GUIDED = 36,
    RUNTIME = 37,
    AUTO = 38,
    STATIC_GREEDY = 40,
    STATIC_BALANCED = 41,
    STATIC_SIMD = 45,
    RUNTIME_SIMD = 47,
    ORDERED = 32, /* an `ordered` schedule has the number of the plain one + 32 */
    LAST = 70,    /* higher numbers are for `distribute` */
};

/*
 * The kind of schedule for libomp's number. 0: the loop is not shared out among a
 * region's threads.
 */
static enum er_omp_schedule
schedule_of(int schedule)
{
    int kind = schedule & SCHEDULE;

    if (kind > LAST)
        return 0;
    if (kind > ORDERED * 2)
        kind -= ORDERED;
    switch (kind) {
    case STATIC_CHUNKED:
    case STATIC:
    case STATIC_GREEDY:
    case STATIC_BALANCED:
    case STATIC_SIMD:
        return OMP_STATIC;
    case DYNAMIC:
        return OMP_DYNAMIC;
    case RUNTIME:
    case RUNTIME_SIMD:
        return OMP_RUNTIME;
    case AUTO:
        return OMP_AUTO;
    default:
        return OMP_GUIDED;
    }
}

/* The number of iterations from 0 to span, both included, by `step`; modulo 2^64. */
static u64
steps(int64_t span, int64_t step)
{
    if (!step || (span < 0 && step > 0) || (span > 0 && step < 0))
        return 0;
    return (u64)(span / step) + 1;
}

/*
 * Count a thread's chunks in the loop that it works in. Each has `size` iterations;
 * stride: from the beginning of one chunk to that of the next.
 */
static void
add_chunks(u64 left, u64 size, u64 stride)
{
    u64 chunks, last;

    if (!left || !size)
        return;
    chunks = stride ? (left + stride - 1) / stride : 1;
    last = left - (chunks - 1) * stride;
    omp_loop_pieces((chunks - 1) * size + (last < size ? last : size), chunks);
}

/* All numbers are converted to 64 bits, so that differences are right. */
#define STATIC_INIT(name, number, difference)                                       \
    WRAPPER void name(void *place, int thread, int schedule, int *last,             \
                      number *lower, number *upper, difference *stride,             \
                      difference step, difference chunk)                            \
    {                                                                               \
        enum er_omp_schedule kind = schedule_of(schedule);                          \
        u64 to = (u64)*upper;                                                       \
                                                                                    \
        OMP_LEAVE_TO_TOOL(OMP_REAL(name)->name(place, thread, schedule, last,       \
                                               lower, upper, stride, step, chunk)); \
        if (kind)                                                                   \
            omp_loop_begin(PC, kind, step);                                         \
        OMP_REAL(name)->name(place, thread, schedule, last, lower, upper, stride,   \
                             step, chunk);                                          \
        if (kind && (step > 0 ? *lower <= *upper : *lower >= *upper))               \
            add_chunks(steps((int64_t)(to - (u64)*lower), step),                    \
                       steps((int64_t)((u64)*upper - (u64)*lower), step),           \
                       (schedule & SCHEDULE) % ORDERED == STATIC_CHUNKED % ORDERED  \
                           ? (u64)(*stride / step)                                  \
                           : 0);                                                    \
    }

STATIC_INIT(__kmpc_for_static_init_4, int, int)
STATIC_INIT(__kmpc_for_static_init_4u, u32, int)
STATIC_INIT(__kmpc_for_static_init_8, int64_t, int64_t)
STATIC_INIT(__kmpc_for_static_init_8u, u64, int64_t)

WRAPPER void
__kmpc_for_static_fini(void *place, int thread)
{
    omp_loop_end();
    OMP_REAL(__kmpc_for_static_fini)->__kmpc_for_static_fini(place, thread);
}

#define DISPATCH_INIT(name, number, difference)                                      \
    WRAPPER void name(void *place, int thread, int schedule, number from, number to, \
                      difference step, difference chunk)                             \
    {                                                                                \
        enum er_omp_schedule kind = schedule_of(schedule);                           \
                                                                                     \
        if (kind)                                                                    \
            omp_loop_begin(PC, kind, step);                                          \
        OMP_REAL(name)->name(place, thread, schedule, from, to, step, chunk);        \
    }

DISPATCH_INIT(__kmpc_dispatch_init_4, int, int)
DISPATCH_INIT(__kmpc_dispatch_init_4u, u32, int)
DISPATCH_INIT(__kmpc_dispatch_init_8, int64_t, int64_t)
DISPATCH_INIT(__kmpc_dispatch_init_8u, u64, int64_t)

/* A thread that gets no further chunk has done its share. */
#define DISPATCH_NEXT(name, number, difference)                                      \
    WRAPPER int name(void *place, int thread, int *last, number *lower,              \
                     number *upper, difference *step)                                \
    {                                                                                \
        int any = OMP_REAL(name)->name(place, thread, last, lower, upper, step);     \
                                                                                     \
        if (any)                                                                     \
            omp_loop_pieces(steps((int64_t)((u64)*upper - (u64)*lower), *step), 1);  \
        else                                                                         \
            omp_loop_end();                                                          \
        return any;                                                                  \
    }

DISPATCH_NEXT(__kmpc_dispatch_next_4, int, int)
DISPATCH_NEXT(__kmpc_dispatch_next_4u, u32, int)
DISPATCH_NEXT(__kmpc_dispatch_next_8, int64_t, int64_t)
DISPATCH_NEXT(__kmpc_dispatch_next_8u, u64, int64_t)

WRAPPER void
__kmpc_serialized_parallel(void *place, int thread)
{
    omp_loop_alone(1);
    OMP_REAL(__kmpc_serialized_parallel)->__kmpc_serialized_parallel(place, thread);
}

WRAPPER void
__kmpc_end_serialized_parallel(void *place, int thread)
{
    OMP_REAL(__kmpc_end_serialized_parallel)
        ->__kmpc_end_serialized_parallel(place, thread);
    omp_loop_alone(-1);
}
