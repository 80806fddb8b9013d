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
#include "print/model/views/stacktree.h"

enum {
    KEY_NONE = UINT32_MAX, /* a frame that is not summed */
};

/*
 * Prepare one pass. lines: find the source lines of frames, too. The frames of all
 * sites on stacks are in one array: node n has the frames first[n] to first[n] +
 * depth[n] - 1, outermost first. Nodes in hidden objects have other frames, or none;
 * see hide.h. 0 and *out for aggregate_close(), or -errno.
 */
int aggregate_open(struct session *session, bool lines, struct stack_tree *out);
void aggregate_close(struct stack_tree *walk);

/*
 * aggregate_frame(): get the frame with number i, see aggregate_open().
 * aggregate_frames(): get the number of frames.
 */
const struct site_frame *aggregate_frame(const struct session *session, u32 i);
u32 aggregate_frames(const struct session *session);

struct sums {
    struct grid excl; /* by key */
    struct grid incl;
    u32 keys; /* number of keys */
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
 * Callbacks of aggregate_visit(): enter() gets a node before its children, leave() gets
 * it after all nodes below it.
 */
struct visitor {
    void (*enter)(void *context, u32 node);
    void (*leave)(void *context, u32 node);
    void *context;
};

/* Visit all nodes with `used` set, except the root. 0 or -ENOMEM. */
int aggregate_visit(const struct stack_tree *walk, const struct visitor *visitor);

#endif
