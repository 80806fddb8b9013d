/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exclusive and inclusive sums by any property of frames: the caller gives each frame
 * of each site a key, and one pass over the stack tree sums up by key. For the model's
 * own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_AGGREGATE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_AGGREGATE_H

#include "print/model/metric.h"
#include "print/model/grid.h"
#include "print/model/symbols/sites.h"
#include "print/model/symbols/stacks.h"

enum {
    KEY_NONE = UINT32_MAX, /* a frame that is not summed */
};

/* The tree of stacks with its sums, prepared for a pass over all nodes. */
struct stack_tree {
    u32 count;            /* nodes; 0 is the root above all */
    u32 *child;           /* first child, 0 = none */
    u32 *sibling;         /* next one, 0 = none */
    struct grid total; /* of a node and all below it */
    const struct grid *self;
    struct grid *own; /* memory of `self` if it is a copy with other metrics; or NULL */
    bool *used; /* by node: it, or a node below it, has a value */
    u32 *first; /* by node: number of its first frame; see walk_open() */
    u32 *depth; /* by node: how many frames; 0: a caller's frame stands for it */
    u32 *leaf;  /* by node: the innermost frame that is shown, perhaps a caller's */
};

/*
 * Prepare one pass; lines: frames shall have source lines. All frames of all sites that
 * stacks use are in one array: those of node n are first[n] ... first[n] + depth[n] -
 * 1, outermost first. Nodes in hidden objects have other frames, or none; see hide.h. 0
 * and *out for walk_close(), or -errno.
 */
int walk_open(struct session *session, bool lines, struct stack_tree *out);
void walk_close(struct stack_tree *walk);

/*
 * walk_frame(): the frame with number i, see walk_open(). walk_frames(): how many there
 * are.
 */
const struct site_frame *walk_frame(const struct session *session, u32 i);
u32 walk_frames(const struct session *session);

struct sums {
    struct grid excl; /* by key */
    struct grid incl;
    u32 keys;
};

/*
 * Sum up by key. key[i], the key of frame i, is less than `keys`, or KEY_NONE.
 * Exclusive sums are over the nodes whose innermost frame has the key; inclusive sums
 * over those that have, or whose callers have, a frame with the key. 0 or -ENOMEM; *out
 * for sums_free().
 */
int aggregate(const struct stack_tree *walk, const u32 *key, u32 keys,
              struct sums *out);
void sums_free(struct sums *sums);

/*
 * Visit all nodes that are used, each before its children: enter() is called when a
 * node is reached, leave() when all nodes below it were visited.
 */
struct visitor {
    void (*enter)(void *context, u32 node);
    void (*leave)(void *context, u32 node);
    void *context;
};

/* 0 or -ENOMEM. */
int walk_visit(const struct stack_tree *walk, const struct visitor *visitor);

#endif
