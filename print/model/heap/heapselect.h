/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the blocks that count: a filter is evaluated for each block when it begins.
 * For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPSELECT_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPSELECT_H

#include "print/model/filter/filterbind.h"

/* A block when it begins. */
struct heap_block {
    u64 time; /* of the record */
    u64 addr;
    u64 size;
    u64 old; /* where it was before a realloc or mremap, 0 = nowhere */
    u32 node; /* stack: the experiment's own id */
    u32 thread; /* id */
    u32 tid;
    bool mapping; /* it is a mapping, or the break */
    u64 leaked; /* bytes that are never freed; set only if filter or keys need it */
};

/* Bind the session's filter to blocks of experiment `index`; like filterbind(). */
int heapselect_bind(struct session *session, u32 index, struct bound_filter **out);

/* Like heapselect_bind(), for the value of an expression; like filterbind_expr(). */
int heapselect_bind_expr(struct session *session, u32 index,
                         const struct filter_expr *expr,
                         const struct stack_tests *tests, struct bound_filter **out);

/*
 * Make an event of a block. `row` is an array of HEAPSELECT_FIELDS, to which the event
 * points.
 */
enum { HEAPSELECT_FIELDS = 8 };
struct filter_event heapselect_event(const struct heap_block *block, u64 *row);

/* Does the filter depend on which blocks are never freed? (NULL does not.) */
bool heapselect_needs_leaks(const struct bound_filter *filter);

/* Does a block pass the filter? NULL = all blocks do. */
bool heapselect_accepts(const struct bound_filter *filter,
                        const struct heap_block *block);

#endif
