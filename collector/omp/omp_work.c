/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worksharing in programs compiled by GCC: loops and sections. Code of GCC shares out
 * static loops without a call.
 */
#include "collector/libc/real.h"
#include "collector/omp/omp_loop.h"

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

#define PC __builtin_return_address(0)

/* If a loop counts down, its `step` is negative, or an unsigned number modulo 2^64. */
#define START(name, kind, params, args)                     \
    WRAPPER bool name params                                \
    {                                                       \
        bool any;                                           \
                                                            \
        omp_loop_begin(PC, kind, (int64_t)step);            \
        any = OMP_REAL(name)->name args;                    \
        if (any)                                            \
            omp_loop_piece(PC, (u64)*first, (u64)*last);    \
        return any;                                         \
    }

#define NEXT(name, number)                                  \
    WRAPPER bool name(number *first, number *last)          \
    {                                                       \
        bool any = OMP_REAL(name)->name(first, last);       \
                                                            \
        if (any)                                            \
            omp_loop_piece(PC, (u64)*first, (u64)*last);    \
        return any;                                         \
    }

/*
 * Loops over signed numbers, and over unsigned ones, which have the direction as an
 * argument.
 */
#define CHUNKED(name, kind)                                                        \
    START(GOMP_loop_##name##_start, kind,                                          \
          (long from, long to, long step, long chunk, long *first, long *last),    \
          (from, to, step, chunk, first, last))                                    \
    START(GOMP_loop_ull_##name##_start, kind,                                      \
          (bool up, u64 from, u64 to, u64 step, u64 chunk, u64 *first, u64 *last), \
          (up, from, to, step, chunk, first, last))                                \
    NEXT(GOMP_loop_##name##_next, long)                                            \
    NEXT(GOMP_loop_ull_##name##_next, u64)

#define PLAIN(name, kind)                                                          \
    START(GOMP_loop_##name##_start, kind,                                          \
          (long from, long to, long step, long *first, long *last),                \
          (from, to, step, first, last))                                           \
    START(GOMP_loop_ull_##name##_start, kind,                                      \
          (bool up, u64 from, u64 to, u64 step, u64 *first, u64 *last),            \
          (up, from, to, step, first, last))                                       \
    NEXT(GOMP_loop_##name##_next, long)                                            \
    NEXT(GOMP_loop_ull_##name##_next, u64)

CHUNKED(dynamic, OMP_DYNAMIC)
CHUNKED(guided, OMP_GUIDED)
CHUNKED(nonmonotonic_dynamic, OMP_DYNAMIC)
CHUNKED(nonmonotonic_guided, OMP_GUIDED)
CHUNKED(ordered_static, OMP_STATIC)
CHUNKED(ordered_dynamic, OMP_DYNAMIC)
CHUNKED(ordered_guided, OMP_GUIDED)
PLAIN(runtime, OMP_RUNTIME)
PLAIN(nonmonotonic_runtime, OMP_RUNTIME)
PLAIN(maybe_nonmonotonic_runtime, OMP_RUNTIME)
PLAIN(ordered_runtime, OMP_RUNTIME)

WRAPPER void
GOMP_loop_end_nowait(void)
{
    omp_loop_end();
    OMP_REAL(GOMP_loop_end_nowait)->GOMP_loop_end_nowait();
}

WRAPPER unsigned
GOMP_sections_start(unsigned count)
{
    unsigned section;

    omp_loop_begin(PC, OMP_SECTIONS, 1);
    section = OMP_REAL(GOMP_sections_start)->GOMP_sections_start(count);
    if (section)
        omp_loop_piece(PC, 0, 1);
    return section;
}

WRAPPER unsigned
GOMP_sections_next(void)
{
    unsigned section = OMP_REAL(GOMP_sections_next)->GOMP_sections_next();

    if (section)
        omp_loop_piece(PC, 0, 1);
    return section;
}

WRAPPER void
GOMP_sections_end_nowait(void)
{
    omp_loop_end();
    OMP_REAL(GOMP_sections_end_nowait)->GOMP_sections_end_nowait();
}
