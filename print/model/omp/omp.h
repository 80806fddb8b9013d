/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenMP: sums of parallel regions, tasks and loops by place. Only records that pass
 * the filter count. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_OMP_OMP_H
#define ERTOOLS_PRINT_MODEL_OMP_OMP_H

#include <stdbool.h>

#include "print/model/session.h"

/* Values of regions; times in ns. The file format's record preg says what they are. */
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
    OMP_ASLEEP, /* of the waits; with collect -p wall */
    OMP_VALUES,
};

/* Of tasks; the record otask. */
enum omp_task_value {
    OMP_TASK_CREATED,
    OMP_TASK_EXECUTED,
    OMP_TASK_CREATING,
    OMP_TASK_WORK,
    OMP_TASK_LONGEST,
    OMP_TASK_VALUES,
};

/* Of loops; the record oloop. */
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
    u32 schedule; /* of loops: enum er_omp_schedule */
    u64 v[OMP_VALUES];
};

struct omp {
    struct omp_place *region; /* most elapsed time first, then most of all threads' */
    u32 regions;
    struct omp_place *task; /* most work first */
    u32 tasks;
    struct omp_place *loop; /* most time first */
    u32 loops;
    u64 total[OMP_VALUES];      /* of regions */
    u64 task_total[OMP_VALUES]; /* of tasks; but the longest */
    bool recorded;
    bool wall; /* some experiment knows what is asleep */
};

/* 0 and *out for omp_free(), or -ENOMEM. */
int omp_get(struct session *session, struct omp *out);
void omp_free(struct omp *omp);

/*
 * omp_waits(): the time of all waits; omp_time(): the time of all threads in regions,
 * which is work, waits and overhead.
 */
u64 omp_waits(const u64 *v);
u64 omp_time(const u64 *v);

#endif
