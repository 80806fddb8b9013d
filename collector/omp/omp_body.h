/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of regions and tasks, which run on behalf of the code that began them. Normal
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
#include "collector/omp/omp_state.h"
#include "share/types.h"

/* A parallel region, in the frame of who begins it; its threads read it. */
struct omp_region {
    void *first; /* libgomp may read the first word of what is given to the body */
    omp_body body;
    void *data;
    u64 word;    /* sig/join.h */
    struct thread *creator;
    struct omp_end *end; /* its count changes when the region has ended */
    u32 at;
    u64 begin;
    /* By its other threads, as their parts end: */
    u64 parts;
    u64 busy; /* ticks of work */
    u64 most; /* of the one that worked longest */
    /* By its creator: */
    u64 own_parts;
    u64 own_busy;
    /* Its loops: omp_loop.h. */
    struct omp_shared *shared; /* its creator's, or NULL: too deep */
    u32 number;   /* of this region, among its creator's */
    u32 has_loop; /* something is in shared */
    u32 schedule; /* of the loop that is all it has, 0 = none */
    int64_t step;
    /* What its creator was at, unless that is in another process now. */
    u64 ended;  /* its own part */
    u64 cpu;    /* what it had used then: omp_cpu() */
    u64 outer_inner;
    u64 outer_word;
    u64 outer_busy;
    struct omp_region *outer;
    u32 outer_part;
    struct omp_loop outer_loop; /* only where there is an outer region */
};

/*
 * A region of that body begins; start: the caller, from TRACE_CAPTURE(). 0: it is not
 * recorded, and nothing more needs to be done.
 */
int omp_region_begin(struct omp_region *r, omp_body body, void *data,
                     const struct walk_start *start);
void omp_region_end(struct omp_region *r);

/* What its threads run. */
void omp_region_body(void *region);

/* The same for a body with other arguments: function(arg) calls it. */
void omp_region_run(struct omp_region *r, omp_body function, void *arg);

/* The word of the caller's stack, or 0: nothing is recorded. */
u64 omp_caller(const struct walk_start *start);

/*
 * The creator itself runs its part between the two, for regions whose body it calls
 * without omp_region_body().
 */
void omp_region_part_begin(struct omp_region *r);
void omp_region_part_end(struct omp_region *r);

/* Run the body of a task on behalf of its creator. */
void omp_task_run(omp_body body, void *data, u64 word);

/* A league of teams, which one thread runs one after the other: only a join. */
struct omp_team {
    omp_body body;
    void *data;
    u64 word;
};

void omp_team_body(void *team);

/*
 * Around the call that creates a task; word: omp_caller()'s. waits: it also waits until
 * the tasks are done, which is most of its time.
 */
struct omp_creating {
    struct thread *t;
    u64 outer;
    u64 since;
};

void omp_create_begin(struct omp_creating *c);
void omp_create_end(const struct omp_creating *c, u64 word, int waits);

/* The creator itself runs a task's body, between these two. */
void omp_task_here_begin(struct omp_creating *c);
void omp_task_here_end(const struct omp_creating *c, u64 word);

/* Parameters of the experiment; nothing is recorded before. */
void omp_started(const struct services *services, const struct er_params *params);

#endif
