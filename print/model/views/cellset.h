/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by stack, thread and step of time: what cellsort.h fills. For the model's own
 * use; but the results in struct cells (cells.h) are for all.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLSET_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLSET_H

#include <stdbool.h>

#include "print/model/grid.h"

enum {
    CELLS_STEPS = 1000,    /* steps of the longest run, at most */
    CELLS_TIMELESS = 1023, /* the step of values without a time */
};

struct cells_key {
    u32 node;   /* node of the session's stacks */
    u32 thread; /* number of the thread, see struct cells */
    u32 step;   /* index of a step of cells.width << shift ns; or CELLS_TIMELESS */
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

/* Sums by key. */
struct cellset {
    struct cells_key *cell; /* by step, thread, node */
    struct grid value; /* by cell */
    u32 count;
    u32 room;
    u32 shift; /* a step is 1 << shift of the finest steps */
    u32 budget; /* number of cells from which on steps become longer */
    u32 least; /* least value of `shift` after the next merge */
    u32 settled; /* number of cells when equal ones were last merged */
    bool by_step; /* sums over all threads: each cell's thread is 0 */
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

#endif
