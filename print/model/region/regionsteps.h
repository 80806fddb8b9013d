/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which regions threads were, over time: their wall time in each step of the run,
 * where a region's time excludes that of regions within it. All instances count,
 * whatever the filter. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_REGION_REGIONSTEPS_H
#define ERTOOLS_PRINT_MODEL_REGION_REGIONSTEPS_H

#include "print/model/session.h"

enum {
    REGION_STEPS_TOLD = 26, /* regions that are told apart; [26]: all others */
};

/* The times of one thread, ns, at ns[step * (REGION_STEPS_TOLD + 1) + rank]. */
struct region_steps_thread {
    u32 experiment;
    u32 slot; /* index in threads.row + 1 */
    double *ns;
};

struct region_steps {
    u32 steps;
    u64 width; /* ns of a step */
    u32 region[REGION_STEPS_TOLD]; /* REGIONID by rank, most time first */
    double total[REGION_STEPS_TOLD + 1]; /* ns, by rank */
    u32 told; /* number of regions in region[] */
    struct region_steps_thread *thread;
    u32 threads, room;
};

/*
 * Divide the run into `steps` steps of `width` ns. 0 and *out for regionsteps_free(),
 * -ENOENT (no regions) or -ENOMEM.
 */
int regionsteps_make(struct session *session, u32 steps, u64 width,
                     struct region_steps *out);
void regionsteps_free(struct region_steps *steps);

#endif
