/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The branch stacks of a session, summed up. A branch stack has the source and the
 * target of each branch; from the target, code ran straight on to the source of the
 * next branch. Addresses are link-time ones of load objects; for object 0, which means
 * that no object is known, they are addresses in the process. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_BRANCHES_H
#define ERTOOLS_PRINT_MODEL_BRANCH_BRANCHES_H

#include "print/model/session.h"

enum branch_type {
    BRANCH_JUMP, /* what is neither known to be a call nor a return */
    BRANCH_CALL,
    BRANCH_RETURN,
};

struct branch_edge {
    u32 from_object;
    u32 to_object;
    u64 from;
    u64 to;
    u64 count;
    u64 followed; /* of these, those behind which a newer branch is known */
    u64 mispredicted;
    u64 told;   /* of `count`: whether it was predicted is known */
    u64 timed;  /* of `count`: `cycles` are known */
    u64 cycles; /* since the branch before */
    u32 kind;   /* as the kernel has it; 0 = not known */
};

/* Code that ran straight on from `start` to the branch at `end`. */
struct branch_range {
    u32 object;
    u64 start;
    u64 end;
    u64 count;
};

struct branch_data {
    bool recorded; /* some experiment has branch stacks */
    u64 stacks;
    u64 branches;
    u64 mispredicted;
    struct branch_edge *edge; /* by from, then to */
    u32 nedges;
    struct branch_range *range; /* by start, then end */
    u32 nranges;
};

/*
 * Sum up the branches that pass the filter. 0 and *out for branches_free(), or -ENOMEM.
 */
int branches_get(struct session *session, struct branch_data *out);
void branches_free(struct branch_data *data);

/* The type of an edge: as the processor reported it, or else by its instruction. */
enum branch_type branches_type(struct session *session, const struct branch_edge *edge);

/* Is the branch conditional, so that it can also continue with the next instruction? */
bool branches_is_conditional(struct session *session, u32 object, u64 from);

/* The index of the first edge whose source is at or above that place. */
u32 branches_find(const struct branch_data *data, u32 object, u64 from);

#endif
