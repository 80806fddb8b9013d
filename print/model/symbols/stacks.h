/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of a session: one prefix tree for all experiments, in which equal frames
 * of equal objects are one node. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_STACKS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_STACKS_H

#include "print/model/grid.h"
#include "print/model/symbols/stacknodes.h"

int stacks_open(struct session *session);
void stacks_close(struct stacks *stacks);
/*
 * Remove the map of the experiment with that index; those of later experiments move
 * down by one.
 */
void stacks_forget(struct stacks *stacks, u32 experiment);

/* Empty the maps of all experiments, since the view has changed. */
void stacks_forget_all(struct stacks *stacks);

/*
 * Get the session's node of an experiment's node id. It is that of <Unknown> if the id
 * is 0, or if the stack has only frames of the collector. Damage is reported in the
 * experiment's problems. 0 or -ENOMEM.
 */
int stacks_of(struct session *session, u32 experiment, u32 id, u32 *node);

/* Make the object of an experiment's made code, if it has any. 0 or -ENOMEM. */
int stacks_made(struct session *session, u32 experiment);

/* Get the node of a pseudo function, which is a root. 0 or -ENOMEM. */
int stacks_pseudo(struct session *session, enum pseudo_function func, u32 *node);

/*
 * Add values to row `node` of a grid whose rows are stack nodes; the grid grows as
 * needed. 0 or -ENOMEM.
 */
int stacks_add(const struct session *session, struct grid *grid, u32 node,
               const struct values *values);

#endif
