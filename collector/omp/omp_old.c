/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions in programs compiled by GCC before 4.9. GOMP_parallel_start() gives the body
 * to the other threads and returns; then the caller runs the body as well, and calls
 * GOMP_parallel_end(). So the region cannot be in a frame of ours.
 */
#include "collector/libc/real.h"
#include "collector/omp/omp_body.h"

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

enum { REGIONS = 64 }; /* regions open at once; further ones are not recorded */

static struct old_region {
    struct omp_region r;
    struct old_region *outer; /* the region around it, of the same thread */
    u32 taken;
} regions[REGIONS];

static struct old_region *
alloc_region(void)
{
    for (u32 i = 0; i < REGIONS; i++)
        if (!__atomic_exchange_n(&regions[i].taken, 1, __ATOMIC_ACQUIRE))
            return &regions[i];
    return NULL;
}

/* Begin a region. NULL: this region is not recorded, nor are regions within it. */
static struct omp_region *
begin(omp_body body, void *data, const struct walk_start *start)
{
    struct thread *t = trace_is_on() ? trace_thread() : NULL;
    struct old_region *old = t && !t->omp_others ? alloc_region() : NULL;

    if (old && omp_region_begin(&old->r, body, data, start)) {
        old->outer = t->omp_old;
        t->omp_old = old;
        return &old->r;
    }
    if (old)
        __atomic_store_n(&old->taken, 0, __ATOMIC_RELEASE);
    if (t)
        t->omp_others++;
    return NULL;
}

#define START(name, more)                                \
    do {                                                 \
        const struct omp_real *real_ = OMP_REAL(name);   \
        struct walk_start start_;                        \
        struct omp_region *region_;                      \
                                                         \
        TRACE_CAPTURE(&start_);                          \
        region_ = begin(body, data, &start_);            \
        if (region_) {                                   \
            real_->name(omp_region_body, region_, more); \
            omp_region_part_begin(region_);              \
        } else {                                         \
            real_->name(body, data, more);               \
        }                                                \
    } while (0)

#define LIST(...) __VA_ARGS__

WRAPPER void
GOMP_parallel_start(omp_body body, void *data, unsigned threads)
{
    START(GOMP_parallel_start, LIST(threads));
}

#define LOOP_START(name)                                                       \
    WRAPPER void name(omp_body body, void *data, unsigned threads, long from,  \
                      long to, long step, long chunk)                          \
    {                                                                          \
        START(name, LIST(threads, from, to, step, chunk));                     \
    }

LOOP_START(GOMP_parallel_loop_static_start)
LOOP_START(GOMP_parallel_loop_dynamic_start)
LOOP_START(GOMP_parallel_loop_guided_start)

WRAPPER void
GOMP_parallel_loop_runtime_start(omp_body body, void *data, unsigned threads, long from,
                                 long to, long step)
{
    START(GOMP_parallel_loop_runtime_start, LIST(threads, from, to, step));
}

WRAPPER void
GOMP_parallel_sections_start(omp_body body, void *data, unsigned threads,
                             unsigned count)
{
    START(GOMP_parallel_sections_start, LIST(threads, count));
}

WRAPPER void
GOMP_parallel_end(void)
{
    struct thread *t = trace_is_on() ? trace_thread() : NULL;
    struct old_region *old = t ? t->omp_old : NULL;

    if (old && !t->omp_others)
        omp_region_part_end(&old->r);
    OMP_REAL(GOMP_parallel_end)->GOMP_parallel_end();
    if (t && t->omp_others) {
        t->omp_others--;
    } else if (old) {
        t->omp_old = old->outer;
        omp_region_end(&old->r);
        __atomic_store_n(&old->taken, 0, __ATOMIC_RELEASE);
    }
}
