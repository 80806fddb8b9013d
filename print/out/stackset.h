/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of a session for formats with addresses, lines and inlined calls: each
 * stack is a chain of locations; a location has the frames at one code address.
 * Filters, hidden objects and the machine's view apply as in er_print. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_OUT_STACKSET_H
#define ERTOOLS_PRINT_OUT_STACKSET_H

#include "print/model/views/aggregate.h"
#include "print/out/out.h"
#include "print/out/outname.h"

/*
 * The frames are numbers first to first + depth - 1, outermost first; see
 * stackset_frame().
 */
struct location {
    u32 first;
    u32 depth;
    u32 place; /* number of the frame that has the instruction's file and line */
    u32 object;
    u64 addr; /* link-time address of its instruction; 0 = it has several, or none */
};

struct stackset {
    struct session *session;
    struct stack_tree walk;
    struct location *location; /* from index 1 on; row 0 is empty */
    u32 nlocations;            /* rows of location[], including row 0 */
    u32 *of_node;  /* by stack node: its location, 0 = its caller stands for it */
    bool *is_used; /* by function: it is in some stack */
    struct outname name;
    enum metric metric[METRIC_COUNT]; /* those that have values, the main one first */
    u32 nmetrics;
    int64_t negative[METRIC_COUNT]; /* by index in `metric`: filled by
                                       stackset_values() */
};

/* 0, and *out for stackset_close(); or -errno. */
int stackset_open(const struct out *out, struct stackset *set);
void stackset_close(struct stackset *set);

/* Get the next stack node after `node` that has values of its own; 0 = none. */
u32 stackset_next(const struct stackset *set, u32 node);

/*
 * Get a node's own values of the metrics in set->metric, in that order. Negative values
 * become 0, and are added up in set->negative. True if any value is not 0.
 */
bool stackset_values(struct stackset *set, u32 node, int64_t *value);

/* Get the node of the next location towards the root; 0 = there is none. */
u32 stackset_caller(const struct stackset *set, u32 node);

/* Get the node itself if it has a location; else its nearest caller with one, or 0. */
u32 stackset_top(const struct stackset *set, u32 node);

/* Get frame i of a location, i < depth; frame 0 is the outermost. */
struct site_frame stackset_frame(const struct stackset *set, const struct location *l,
                                 u32 i);

#endif
