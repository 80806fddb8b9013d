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

#include "collector/hook/trace.h"
#include "collector/omp/omp_real.h"
#include "collector/omp/omp_state.h"
#include "share/types.h"

/*
 * A parallel region, in the frame of the function that begins it. Its threads read it.
 */
struct omp_region {
    void *first; /* copy of the data's first word, which libgomp may read */
    omp_body body;
    void *data;
    u64 word;    /* sig/join.h */
    struct thread *creator;
    struct omp_end *end; /* its count changes when the region has ended */
    u32 at;              /* that count as long as the region has not ended */
    u64 begin;
    /* Added up by the other threads of the team, as their parts end: */
    u64 parts;
    u64 busy; /* ticks of work */
    u64 most; /* ticks of the thread that worked longest */
    /* By its creator: */
    u64 own_parts;
    u64 own_busy;
    /* The region's loops, see omp_loop.h. */
    struct omp_shared *shared; /* in the creator's state, or NULL: nested too deep */
    u32 number;   /* number of this region among its creator's regions */
    u32 has_loop; /* 1 = some loop is in shared */
    u32 schedule; /* of the loop, if the region consists of one loop; 0 = none */
    int64_t step;
    /*
     * When the creator's own part ended, and (outer_...) what the creator did before
     * the region. Not used if the creator has forked, and this is the child.
     */
    u64 ended;  /* when the creator's own part ended */
    u64 cpu;    /* the creator's omp_cpu() at that time */
    u64 outer_inner;
    u64 outer_word;
    u64 outer_busy;
    struct omp_region *outer;
    u32 outer_part;
    struct omp_loop outer_loop; /* only set in a nested region */
};

/*
 * Begin a region with this body. start: its caller, from TRACE_CAPTURE(). 0: the region
 * is not recorded, and omp_region_end() need not be called.
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

/* Note the parameters of the experiment. Nothing is recorded before that. */
void omp_started(const struct services *services, const struct er_params *params);

#endif
