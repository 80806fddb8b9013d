/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The branch stacks of a session, summed up. A branch stack has the source and the
 * target of each branch; from the target, code ran straight on to the source of the
 * next branch. Addresses are link-time addresses in a load object; if the object is 0,
 * it is not known, and they are addresses in the process. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_BRANCH_BRANCHES_H
#define ERTOOLS_PRINT_MODEL_BRANCH_BRANCHES_H

#include "print/model/session.h"

enum branch_type {
    BRANCH_JUMP, /* not known to be a call or a return */
    BRANCH_CALL,
    BRANCH_RETURN,
};

struct branch_edge {
    u32 from_object;
    u32 to_object;
    u64 from;
    u64 to;
    u64 count;
    u64 followed; /* of `count`: the code from there to the next branch is known */
    u64 mispredicted; /* of `count` */
    u64 told;   /* of `count`: it is known whether the branch was mispredicted */
    u64 timed;  /* of `count`: the cycles are known */
    u64 cycles; /* sum over `timed`: cycles since the branch before */
    u32 kind;   /* the kernel's perf_branch_type; 0 = not known */
};

/* Code that ran straight on from `start` to the branch at `end`. */
struct branch_range {
    u32 object;
    u64 start;
    u64 end;
    u64 count;
};

struct branch_data {
    bool recorded; /* there are branch stacks that pass the filter */
    u64 stacks;    /* their number */
    u64 branches;  /* sum of `count` over all edges */
    u64 mispredicted; /* sum over all edges */
    struct branch_edge *edge; /* sorted by source, then target: object, then address */
    u32 nedges;
    struct branch_range *range; /* sorted by object, start and end */
    u32 nranges;
};

/*
 * Sum up the branches that pass the filter. 0 and *out for branches_free(), or -ENOMEM.
 */
int branches_get(struct session *session, struct branch_data *out);
void branches_free(struct branch_data *data);

/* The type of an edge: by its kind or, if that does not tell, by its instruction. */
enum branch_type branches_type(struct session *session, const struct branch_edge *edge);

/* Is the instruction at `from` a conditional branch? False if its code is not known. */
bool branches_is_conditional(struct session *session, u32 object, u64 from);

/*
 * The index of the first edge whose source is at or above that place; nedges if none.
 */
u32 branches_find(const struct branch_data *data, u32 object, u64 from);

#endif
