/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of regions and tasks, which run on behalf of whoever began them. Normal
 * context of the target's threads.
 *
 *   struct omp_region r;
 *
 *   if (omp_region_begin(&r, body, data, &start)) {
 *       real(omp_region_body, &r, ...);
 *       omp_region_end(&r);
 *   } else {
 *       real(body, data, ...);
 *   }
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_BODY_H
#define ERTOOLS_COLLECTOR_OMP_OMP_BODY_H

#include "collector/hook/trace.h"
#include "collector/omp/omp_real.h"
#include "share/types.h"

/* A parallel region, in the frame of who begins it; its threads read it. */
struct omp_region {
    void *first; /* libgomp may read the first word of what is given to the body */
    omp_body body;
    void *data;
    u64 word;    /* sig/join.h */
    struct thread *creator;
    u32 *count;  /* changes when it has ended */
    u32 at;
};

/*
 * A region of that body begins; start is where the caller is, from TRACE_CAPTURE(). 0:
 * it is not recorded, and no more is to be done.
 */
int omp_region_begin(struct omp_region *r, omp_body body, void *data,
                     const struct walk_start *start);
void omp_region_end(struct omp_region *r);

/* What its threads run. */
void omp_region_body(void *region);

/* The word of the caller's stack, or 0: nothing is recorded. */
u64 omp_caller(const struct walk_start *start);

/* Run the body of a task on behalf of its creator. */
void omp_task_run(omp_body body, void *data, u64 word);

/* Parameters of the experiment; nothing is recorded before. */
void omp_started(const struct services *services, const struct er_params *params);

#endif
