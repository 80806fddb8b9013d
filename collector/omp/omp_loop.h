/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worksharing loops, and what threads do between two barriers: a loop that the
 * compiler shares out by itself is no call, but the barrier behind it is. All threads
 * of a region come to its loops in the same order, so that the number of a loop says
 * which one it is. Only in regions that are recorded; normal context of the thread.
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_LOOP_H
#define ERTOOLS_COLLECTOR_OMP_OMP_LOOP_H

#include "collector/omp/omp_body.h"
#include "share/omp.h"

/* The thread comes to a loop; pc: where its caller goes on. */
void omp_loop_begin(const void *pc, enum er_omp_schedule schedule, int64_t step);

/* The next piece of it is from `first` up to the iteration before `end`. */
void omp_loop_piece(const void *pc, u64 first, u64 end);

/* The same by numbers. */
void omp_loop_pieces(u64 iterations, u64 pieces);

/* The thread has done what it had to in the loop that it is in, if it is in one. */
void omp_loop_end(void);

/* It comes to a barrier; is_loops: one that belongs to the last loop. */
void omp_loop_barrier(struct thread *t, const void *pc, int is_loops);

/* It has waited there for so long. */
void omp_loop_waited(struct thread *t, u64 own, u64 now);

/*
 * A region of one thread begins (1) or ends (-1), which is none that is recorded: its
 * loops are not those of the region around it.
 */
void omp_loop_alone(int change);

/* A region has ended: to the sums of the thread that began it. */
void omp_loop_sum_up(struct omp_region *r, struct thread *t, u64 now);

#endif
