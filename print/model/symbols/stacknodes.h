/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of the stacks of a session, and which of them are the nodes of an
 * experiment. For the model's own use; see stacks.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_STACKNODES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_STACKNODES_H

#include "print/model/symbols/sites.h"

/*
 * A node. Node 0 is the parent of all roots. A parent's number is below its children's.
 */
struct stack {
    u32 parent;
    u32 site;
};

enum {
    NODE_OPEN = UINT32_MAX, /* in stack_map.node: the id is in work */
};

/*
 * The session's nodes by an experiment's node ids. An entry is set when asked for.
 */
struct stack_map {
    u32 *node; /* by id: the node + 1; 0 = not asked for yet; or NODE_OPEN */
    u32 count; /* elements of `node` */
    u32 *object; /* by index in map.instance: the object + 1, 0 = not asked for yet */
    u32 made;    /* the object of made code + 1, 0 = not made yet */
    u32 *interp; /* by id: the site of an interpreted frame + 1, or 0; NULL = all 0 */
    /*
     * The nodes of the stack that joins_make() merged last, from its root; `parent` is
     * the node itself. The next stack often begins with the same frames.
     */
    struct stack *last;
    u32 nlast;
    u32 last_room;
    u32 broken;  /* how often a node could not be read */
};

struct stacks {
    struct sites sites;
    struct stack *node;
    u32 count;
    u32 room;
    struct hash hash;
    struct stack_map *map; /* by experiment; all 0 = not asked for yet */
    u32 nmaps;
    u32 maps_room;
};

/* Get the child of a node that has that site; it is made if it is new. 0 or -ENOMEM. */
int stacknodes_child(struct stacks *stacks, u32 parent, u32 site, u32 *node);

#endif
