/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the pointers to the blocks of a stopped process. They are in registers, in its
 * other writable memory, and in blocks. One thread.
 */
#ifndef ERTOOLS_COLLECTOR_LEAKS_ROOTS_H
#define ERTOOLS_COLLECTOR_LEAKS_ROOTS_H

#include "collector/leaks/graph.h"
#include "collector/leaks/memory.h"
#include "collector/leaks/stop.h"
#include "share/ctl.h"

struct roots {
    struct memory *memory;
    const struct stop *stop;
    struct graph *graph;
    int complete; /* 0 = the trace may lack blocks: heap memory in no block is a root */
    u64 stack;    /* stack pointer of the thread that ends the process */
    u64 exit;     /* where exit() begins, 0 = it was not called */
    struct ctl_range *own; /* the collector's memory, sorted by address */
    u32 owns;
};

/* Add roots and edges to the graph. 0 or -errno. */
int roots_find(struct roots *roots);

#endif
