/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worksharing loops, and what threads do between two barriers. (For a static loop,
 * compiled code may call only the barrier at the loop's end.) All threads of a region
 * reach its loops in the same order, so a loop is identified by its number. Only in
 * regions that are recorded; normal context of the thread.
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_LOOP_H
#define ERTOOLS_COLLECTOR_OMP_OMP_LOOP_H

#include "collector/omp/omp_region.h"
#include "share/omp.h"

/* Call when the thread begins its share of a loop; pc: the caller's return address. */
void omp_loop_begin(const void *pc, enum er_omp_schedule schedule, int64_t step);

/*
 * Count the thread's next chunk of the loop: from iteration `first` up to the one
 * before `end`.
 */
void omp_loop_piece(const void *pc, u64 first, u64 end);

/*
 * Count several chunks of the loop at once: how many iterations, and how many chunks.
 */
void omp_loop_pieces(u64 iterations, u64 pieces);

/*
 * Call when the thread has done its share of the loop that it is in, if it is in one.
 */
void omp_loop_end(void);

/*
 * Call when the thread reaches a barrier; is_loops: the barrier belongs to the last
 * loop.
 */
void omp_loop_barrier(struct thread *t, const void *pc, int is_loops);

/* Call when the thread has waited at the barrier for `own` ticks. now: ticks. */
void omp_loop_waited(struct thread *t, u64 own, u64 now);

/*
 * Call when a region with one thread begins (change 1) or ends (-1). It is not
 * recorded, and its loops do not count as loops of the region around it.
 */
void omp_loop_alone(int change);

/*
 * Call when a region has ended: add its loops to the sums of the thread that began it.
 */
void omp_loop_sum_up(struct omp_region *r, struct thread *t, u64 now);

#endif
