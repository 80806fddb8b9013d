/* SPDX-License-Identifier: Apache-2.0 */
/* Values in records of OpenMP. */
#ifndef ERTOOLS_SHARE_OMP_H
#define ERTOOLS_SHARE_OMP_H

/* How the iterations of a loop are shared (oloop.schedule). */
enum er_omp_schedule {
    OMP_STATIC = 1,
    OMP_DYNAMIC,
    OMP_GUIDED,
    OMP_RUNTIME,
    OMP_AUTO,
    OMP_SECTIONS, /* no loop: `sections`, whose iterations are the sections */
    OMP_BARRIER,  /* no loop was seen: the work of threads up to a barrier */
    OMP_SCHEDULES,
};

#endif
