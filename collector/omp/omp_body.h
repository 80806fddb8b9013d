/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the bodies of parallel regions and tasks, and joins their stacks to that of the
 * code that created them. Normal context of the target's threads.
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

#include "collector/omp/omp_region.h"

/*
 * Begin a region with this body. start: its caller, from TRACE_CAPTURE(). Returns 1; 0:
 * the region is not recorded, and omp_region_end() need not be called.
 */
int omp_region_begin(struct omp_region *r, omp_body body, void *data,
                     const struct walk_start *start);
void omp_region_end(struct omp_region *r);

/* The function that the threads of the region's team run. */
void omp_region_body(void *region);

/* Like omp_region_body(), for a body with other arguments: function(arg) calls it. */
void omp_region_run(struct omp_region *r, omp_body function, void *arg);

/* The join word (sig/join.h) of the caller's stack, or 0: nothing is recorded. */
u64 omp_caller(const struct walk_start *start);

/*
 * Call these around the creator's own part, for regions whose body the creator calls
 * without omp_region_body().
 */
void omp_region_part_begin(struct omp_region *r);
void omp_region_part_end(struct omp_region *r);

/* Run the body of a task. word: the join word of the place where it was created. */
void omp_task_run(omp_body body, void *data, u64 word);

/*
 * A league of teams. One thread runs the teams one after the other, so only their
 * stacks are joined.
 */
struct omp_team {
    omp_body body;
    void *data;
    u64 word;
};

void omp_team_body(void *team);

/*
 * Call these around the call that creates a task; word: from omp_caller(). waits: the
 * call also waits until the tasks are done, which takes most of its time.
 */
struct omp_creating {
    struct thread *t;
    u64 outer;
    u64 since;
};

void omp_create_begin(struct omp_creating *c);
void omp_create_end(const struct omp_creating *c, u64 word, int waits);

/* Call these around the body of a task that the creator runs itself. */
void omp_task_here_begin(struct omp_creating *c);
void omp_task_here_end(const struct omp_creating *c, u64 word);

/*
 * Call when recording begins, with the parameters of the experiment. Nothing is
 * recorded before that.
 */
void omp_started(const struct services *services, const struct er_params *params);

#endif
