/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel regions, including those that consist of one loop or of sections. */
#include "collector/libc/real.h"
#include "collector/omp/omp_body.h"
#include "share/omp.h"

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

/*
 * Run a region by the real function `name`. more: its arguments after body and data;
 * kind and by: schedule and step of the loop, if the region consists of one; else 0.
 */
#define REGION(name, more, kind, by)                         \
    do {                                                     \
        const struct omp_real *real_ =                       \
            OMP_REAL(name);                                  \
        struct walk_start start_;                            \
        struct omp_region region_;                           \
                                                             \
        TRACE_CAPTURE(&start_);                              \
        if (omp_region_begin(&region_, body, data, &start_)) { \
            region_.schedule = kind;                         \
            region_.step = by;                               \
            real_->name(omp_region_body, &region_, more);    \
            omp_region_end(&region_);                        \
        } else {                                             \
            real_->name(body, data, more);                   \
        }                                                    \
    } while (0)

#define LIST(...) __VA_ARGS__

WRAPPER void
GOMP_parallel(omp_body body, void *data, unsigned threads, unsigned flags)
{
    REGION(GOMP_parallel, LIST(threads, flags), 0, 0);
}

WRAPPER unsigned
GOMP_parallel_reductions(omp_body body, void *data, unsigned threads, unsigned flags)
{
    const struct omp_real *runtime = OMP_REAL(GOMP_parallel_reductions);
    struct walk_start start;
    struct omp_region region;
    unsigned team;

    TRACE_CAPTURE(&start);
    if (!omp_region_begin(&region, body, data, &start))
        return runtime->GOMP_parallel_reductions(body, data, threads, flags);
    team = runtime->GOMP_parallel_reductions(omp_region_body, &region, threads, flags);
    omp_region_end(&region);
    return team;
}

#define LOOP(name, kind)                                                        \
    WRAPPER void name(omp_body body, void *data, unsigned threads, long from,   \
                      long to, long step, long chunk, unsigned flags)           \
    {                                                                           \
        REGION(name, LIST(threads, from, to, step, chunk, flags), kind, step);  \
    }

LOOP(GOMP_parallel_loop_static, OMP_STATIC)
LOOP(GOMP_parallel_loop_dynamic, OMP_DYNAMIC)
LOOP(GOMP_parallel_loop_guided, OMP_GUIDED)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic, OMP_DYNAMIC)
LOOP(GOMP_parallel_loop_nonmonotonic_guided, OMP_GUIDED)

#define LOOP_RUNTIME(name)                                                            \
    WRAPPER void name(omp_body body, void *data, unsigned threads, long from,         \
                      long to, long step, unsigned flags)                             \
    {                                                                                 \
        REGION(name, LIST(threads, from, to, step, flags), OMP_RUNTIME, step);        \
    }

LOOP_RUNTIME(GOMP_parallel_loop_runtime)
LOOP_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

WRAPPER void
GOMP_parallel_sections(omp_body body, void *data, unsigned threads, unsigned count,
                       unsigned flags)
{
    REGION(GOMP_parallel_sections, LIST(threads, count, flags), OMP_SECTIONS, 1);
}

WRAPPER void
GOMP_teams_reg(omp_body body, void *data, unsigned teams, unsigned threads,
               unsigned flags)
{
    const struct omp_real *runtime = OMP_REAL(GOMP_teams_reg);
    struct omp_team team = { body, data, 0 };
    struct walk_start start;

    TRACE_CAPTURE(&start);
    team.word = omp_caller(&start);
    if (team.word)
        runtime->GOMP_teams_reg(omp_team_body, &team, teams, threads, flags);
    else
        runtime->GOMP_teams_reg(body, data, teams, threads, flags);
}
