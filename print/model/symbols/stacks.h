/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of a session: one prefix tree for all experiments, in which equal frames
 * of equal objects are one node. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_STACKS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_STACKS_H

#include "print/model/grid.h"
#include "print/model/symbols/sites.h"

/* Nodes: 0 is above all roots. A parent's number is below its children's. */
struct stack {
    u32 parent;
    u32 site;
};

enum {
    NODE_OPEN = UINT32_MAX,
};

/*
 * The session's nodes by an experiment's node ids. An entry is filled when asked for.
 */
struct stack_map {
    u32 *node; /* by id: the node + 1, 0 = not asked yet, NODE_OPEN = in work */
    u32 count;
    u32 *object; /* by index in its map: the object + 1, 0 = not asked yet */
    u32 made;    /* the object of made code + 1, 0 = not asked yet */
    u32 *interp; /* by id: the site of an interpreted frame + 1; NULL = none yet */
    struct stack *last; /* the last stack of joins_make(); `parent` is its own node */
    u32 nlast;          /* the next stack often begins with the same frames */
    u32 last_room;
    u32 broken;  /* nodes that could not be read */
};

struct stacks {
    struct sites sites;
    struct stack *node;
    u32 count;
    u32 room;
    struct hash hash;
    struct stack_map *map; /* by experiment; all zero = not asked yet */
    u32 nmaps;
    u32 maps_room;
};

int stacks_open(struct session *session);
void stacks_close(struct stacks *stacks);
/*
 * Forget the nodes of the experiment with that index; later experiments get lower
 * indices.
 */
void stacks_forget(struct stacks *stacks, u32 experiment);

/* Forget the nodes for the node ids of all experiments, since the view has changed. */
void stacks_forget_all(struct stacks *stacks);

/*
 * Get the session's node of an experiment's node id. Damage is reported in the
 * experiment's problems. 0 or -ENOMEM.
 */
int stacks_of(struct session *session, u32 experiment, u32 id, u32 *node);

/* Create the object of an experiment's made code, if it has any. 0 or -ENOMEM. */
int stacks_made(struct session *session, u32 experiment);

/* Get the child of a node that has that site; it is made if it is new. 0 or -ENOMEM. */
int stacks_child(struct session *session, u32 parent, u32 site, u32 *node);

/* Get the node of a pseudo function; it is a root. */
int stacks_pseudo(struct session *session, enum pseudo_function func, u32 *node);

/*
 * Add values to row `node` of a grid whose rows are stack nodes; the grid grows as it
 * is needed. 0 or -ENOMEM.
 */
int stacks_add(const struct session *session, struct grid *grid, u32 node,
               const struct values *values);

#endif
