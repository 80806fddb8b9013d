/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenMP: sums of parallel regions, tasks and loops by place. Only records that pass
 * the filter count. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_OMP_OMP_H
#define ERTOOLS_PRINT_MODEL_OMP_OMP_H

#include <stdbool.h>

#include "print/model/session.h"

/*
 * Values of parallel regions; times are ns. The record preg of the file format says
 * what they are.
 */
enum omp_value {
    OMP_COUNT,
    OMP_PARTS,
    OMP_THREADS,
    OMP_ELAPSED,
    OMP_WORK,
    OMP_WAIT_END,
    OMP_WAIT_BARRIER,
    OMP_WAIT_CRITICAL,
    OMP_WAIT_ORDERED,
    OMP_WAIT_TASK,
    OMP_OVHD,
    OMP_LOST,
    OMP_SAVE,
    OMP_SERIAL,
    OMP_ASLEEP, /* part of the waits; known only with collect -p wall */
    OMP_VALUES,
};

/* Values of tasks, from the record otask; times are ns. */
enum omp_task_value {
    OMP_TASK_CREATED,
    OMP_TASK_EXECUTED,
    OMP_TASK_CREATING,
    OMP_TASK_WORK,
    OMP_TASK_LONGEST,
    OMP_TASK_VALUES,
};

/* Values of loops, from the record oloop; times are ns. */
enum omp_loop_value {
    OMP_LOOP_COUNT,
    OMP_LOOP_PARTS,
    OMP_LOOP_ITERATIONS,
    OMP_LOOP_CHUNKS,
    OMP_LOOP_WORK,
    OMP_LOOP_WAIT,
    OMP_LOOP_ELAPSED,
    OMP_LOOP_LOST,
    OMP_LOOP_SAVE,
    OMP_LOOP_VALUES,
};

struct omp_place {
    u32 node; /* one of the stacks there, for frames_of() */
    /* Identifies the place: the function, its file and line; or the address. */
    u32 place[3];
    u32 schedule; /* of a loop: enum er_omp_schedule */
    u64 v[OMP_VALUES];
};

struct omp {
    struct omp_place *region; /* most elapsed time first, then most of all threads' */
    u32 regions;
    struct omp_place *task; /* most work first */
    u32 tasks;
    struct omp_place *loop; /* most time first */
    u32 loops;
    u64 total[OMP_VALUES];      /* sums over regions */
    u64 task_total[OMP_VALUES]; /* sums over tasks; useless for OMP_TASK_LONGEST */
    bool recorded; /* there are regions or tasks that pass the filter */
    bool wall; /* some experiment has wall time, and so OMP_ASLEEP */
};

/* Sum up. 0 and *out for omp_free(), or -ENOMEM. */
int omp_get(struct session *session, struct omp *out);
void omp_free(struct omp *omp);

/*
 * omp_waits(): the time of all waits; omp_time(): the time of all threads in regions,
 * which is work, waits and overhead.
 */
u64 omp_waits(const u64 *v);
u64 omp_time(const u64 *v);

#endif
