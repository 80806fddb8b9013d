/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by stack, thread and step of time, so that threads and times can be chosen later
 * without reading events again. A budget limits the number of cells: if there are more,
 * steps become longer. If that leaves only one step, there are two tables instead: sums
 * by stack and thread, and sums by stack and step.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLS_H

#include "print/model/session.h"
#include "print/model/grid.h"

enum {
    CELLS_STEPS = 1000,    /* the most steps: those of the longest run */
    CELLS_TIMELESS = 1023, /* the step of values without a time */
};

struct cells_key {
    u32 node;   /* of the session's stacks */
    u32 thread; /* see struct cells */
    u32 step;   /* of (cells.width << shift) ns each; or CELLS_TIMELESS */
};

/* What a thread was doing: each has a lane in a diagram of threads and time. */
enum lane_state {
    LANE_USER,
    LANE_SYSTEM,
    LANE_WAIT, /* for a processor */
    LANE_LOCK,
    LANE_IO,
    LANE_SLEEP,
    LANE_EVENT,
    LANE_FAULT,
    LANE_STOP,
    LANE_MPI,
    LANE_STATES,
};

/*
 * ns by thread, step and state; a wait is distributed over all steps in which it lies.
 */
struct lanes {
    u64 *ns;
    u32 steps; /* how many; each lasts cells.width << shift ns */
    u32 shift;
};

/* ns by processor and step of lanes: CPU time of the threads that ran on it. */
struct cpulanes {
    u64 *ns; /* NULL: processes count time from different moments */
    u32 count; /* of processors; those with higher numbers are left out */
};

/* An entry of a hash table by node and step. */
struct cells_slot {
    u32 node, step;
    u32 index; /* number of a cell + 1; 0 = empty */
};

struct cells_table {
    struct cells_slot *slot;
    u32 slots; /* a power of two */
    u32 used;
};

/* Sums by key. For the model's own use; but the results in struct cells are for all. */
struct cellset {
    struct cells_key *cell; /* by step, thread, node */
    struct grid value; /* by cell */
    u32 count;
    u32 room;
    u32 shift; /* a step is 1 << shift of the finest ones */
    u32 budget;
    u32 least; /* the shift must become at least this: that of merged sets */
    u32 settled; /* number of cells when equal ones were last merged */
    bool by_step; /* threads are not distinguished: all are thread 0 */
    bool one_thread; /* all cells are of the same thread */
    struct cellset *times; /* gets all cells before steps become longer; NULL: none */
    /*
     * One hash table for each thread or, if by_step, for each step; only one if
     * one_thread. Successive events mostly belong to the same table, so memory accesses
     * are close to each other.
     */
    struct cells_table *table;
    u32 tables;
    u32 tables_room;
};

/*
 * Thread first[e] stands for no thread of experiment e; first[e] + 1 + i is
 * threads.row[i].
 */
struct cells {
    struct cellset set;
    /*
     * Sums over all threads, with shorter steps. Empty, unless there are so many pairs
     * of stack and thread that `set` has only one step.
     */
    struct cellset times;
    u64 width; /* ns of the finest step */
    u32 *first; /* by experiment; the element after the last = number of threads */
    struct lanes lanes;
    struct cpulanes cpus;
};

/*
 * Sum up what passes the filter. budget: how many cells there may be. 0 and *out for
 * cells_free(), or -errno.
 */
int cells_build(struct session *session, u32 budget, struct cells *out);
void cells_free(struct cells *cells);

#endif
