/* SPDX-License-Identifier: Apache-2.0 */
/* A parallel region that runs; omp_body.h begins and ends it. */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_REGION_H
#define ERTOOLS_COLLECTOR_OMP_OMP_REGION_H

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
    u64 word;    /* join word of its place (sig/join.h) */
    struct thread *creator;
    struct omp_end *end; /* its count changes when the region has ended */
    u32 at;              /* value of that count until the region has ended */
    u64 begin;
    /* Added up by the other threads of the team, as their parts end: */
    u64 parts;
    u64 busy; /* ticks of work */
    u64 most; /* ticks of the thread that worked longest */
    /* Of its creator's parts: */
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

#endif
