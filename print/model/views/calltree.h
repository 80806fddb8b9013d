/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call tree: all stacks, as a tree of functions, including inlined ones. With brief
 * names, successive frames in a language's library become one node, which has the
 * outermost function.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CALLTREE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CALLTREE_H

#include "print/model/grid.h"
#include "print/model/views/view.h"

struct calltree_node {
    u32 func;
    u32 parent; /* index; 0 for the root */
    u32 child;  /* index of the first child, 0 = none; the others follow it */
    u32 nchildren;
    u32 depth; /* 0 for the root */
    u32 row;   /* its row in `excl` and `incl` */
};

/*
 * node[0] is <Total>. The nodes with exclusive values are the distinct stacks that the
 * command `stacks` shows.
 */
struct calltree {
    struct calltree_node *node;
    u32 count;
    struct grid excl;
    struct grid incl; /* also the attributed values: what the parent spends in it */
};

static inline struct values
calltree_excl(const struct calltree *tree, u32 node)
{
    return grid_get(&tree->excl, tree->node[node].row);
}

static inline struct values
calltree_incl(const struct calltree *tree, u32 node)
{
    return grid_get(&tree->incl, tree->node[node].row);
}

/*
 * Build the tree. Children are sorted by `order`. 0 and *out for calltree_free(), or
 * -errno.
 */
int calltree_build(struct session *session, const struct order *order,
                   struct calltree *out);
/*
 * The call tree without sums and order: which function calls which, and for each stack
 * node its node in the tree.
 */
struct calltree_fold {
    u32 *func;    /* by node: its function; node 0 is <Total> */
    u32 *parent;  /* by node; parents have lower numbers */
    u32 count;
    u32 *of_node; /* by stack node: its node in the tree */
};

/*
 * Build the tree of a walk that the caller has opened. same[function]: the function
 * that is shown instead of it; NULL = all are shown themselves. 0 and *out for
 * calltree_fold_free(), or -ENOMEM.
 */
struct stack_tree;
int calltree_fold(struct session *session, const struct stack_tree *walk,
                  const u32 *same, struct calltree_fold *out);
void calltree_fold_free(struct calltree_fold *fold);

void calltree_free(struct calltree *tree);

#endif
