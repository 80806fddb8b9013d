/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/calltree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/views/aggregate.h"
#include "print/model/views/order.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frametext.h"

/* A node while the tree is being built: its children are a linked list. */
struct tree_node {
    u32 func;
    u32 parent;
    u32 child;
    u32 sibling;
    u32 nchildren;
    bool wrapper; /* names are brief, and it is in a language's library */
};

struct folding {
    struct session *session;
    const struct stack_tree *walk;
    const u32 *same; /* [function]: the one that is shown instead; NULL = itself */
    struct tree_node *tree_node; /* 0 is <Total>; parents have lower numbers */
    u32 count;
    u32 room;
    struct hash hash; /* (parent, function) */
    u32 *of_node;     /* by stack node */
    struct grid excl, incl; /* by tree_node */
    bool brief; /* a run of frames in a language's library is one */
    bool no_memory;
};

struct key {
    const struct folding *f;
    u32 parent;
    u32 func;
};

static bool
same_node(const void *context, u32 index)
{
    const struct key *key = context;
    const struct tree_node *tree_node = &key->f->tree_node[index];

    return tree_node->parent == key->parent && tree_node->func == key->func;
}

/* The child of `parent` for function `func`; it is made if it is new. */
static u32
child_of(struct folding *f, u32 parent, u32 func)
{
    struct key key = { f, parent, func };
    u32 value = (u32)hash_mix((u64)parent << 32 | func);
    u32 at = hash_find(&f->hash, value, same_node, &key);
    struct tree_node new = { .func = func, .parent = parent };

    if (at != HASH_NONE)
        return at;
    if (array_room(&f->tree_node, &f->room, f->count + 1, sizeof(new)) < 0 ||
        hash_add(&f->hash, value, f->count) < 0) {
        f->no_memory = true;
        return parent;
    }
    new.wrapper = f->brief && frametext_is_wrapper(f->session, func);
    new.sibling = f->tree_node[parent].child;
    f->tree_node[f->count] = new;
    f->tree_node[parent].child = f->count;
    f->tree_node[parent].nchildren++;
    return f->count++;
}

/*
 * Is `func` a library's wrapper called by another wrapper, so that both are shown as
 * one?
 */
static bool
is_within(const struct folding *f, u32 parent, u32 func)
{
    return f->tree_node[parent].wrapper && frametext_is_wrapper(f->session, func);
}

static int
fold(struct folding *f)
{
    const struct stacks *stacks = f->session->stacks;
    const struct stack_tree *walk = f->walk;

    if (array_room_zero(&f->tree_node, &f->room, 1, sizeof(*f->tree_node)) < 0)
        return -ENOMEM;
    f->tree_node[0].func = FUNC_TOTAL;
    f->count = 1;
    for (u32 i = 1; i < walk->count && !f->no_memory; i++) {
        u32 at = f->of_node[stacks->node[i].parent];

        if (!walk->used[i])
            continue;
        for (u32 k = 0; k < walk->depth[i]; k++) {
            u32 func = aggregate_frame(f->session, walk->first[i] + k)->func;

            if (!is_within(f, at, func))
                at = child_of(f, at, f->same ? f->same[func] : func);
        }
        f->of_node[i] = at;
    }
    return f->no_memory ? -ENOMEM : 0;
}

static int
add_up(struct folding *f)
{
    const struct stack_tree *walk = f->walk;

    if (grid_open_like(&f->excl, walk->self, f->count) < 0 ||
        grid_open_like(&f->incl, walk->self, f->count) < 0)
        return -ENOMEM;
    for (u32 i = 1; i < walk->count; i++)
        if (walk->used[i])
            grid_add_row(&f->excl, f->of_node[i], walk->self, i);
    for (u32 i = f->count; i-- > 0;) {
        grid_add_row(&f->incl, i, &f->excl, i);
        if (i)
            grid_add_row(&f->incl, f->tree_node[i].parent, &f->incl, i);
    }
    return 0;
}

/*
 * Make rows of a tree_node's children, and sort them. row.index is the child's
 * tree_node.
 */
static void
sort_children(struct folding *f, const struct order *order, u32 tree_node,
              struct row *row)
{
    u32 n = 0;

    for (u32 i = f->tree_node[tree_node].child; i; i = f->tree_node[i].sibling) {
        row[n] = (struct row){ .func = f->tree_node[i].func, .index = i };
        row[n].excl = grid_get(&f->excl, i);
        row[n].incl = row[n].attr = grid_get(&f->incl, i);
        n++;
    }
    order_rows(f->session, order, row, n);
}

static struct calltree_node
settled(const struct folding *f, u32 tree_node, u32 parent, u32 depth)
{
    const struct tree_node *t = &f->tree_node[tree_node];

    return (struct calltree_node){
        .func = t->func,
        .parent = parent,
        .nchildren = t->nchildren,
        .depth = depth,
        .row = tree_node,
    };
}

/* Number the nodes breadth first, so that children of one node are consecutive. */
static int
settle(struct folding *f, const struct order *order, struct calltree *out)
{
    struct calltree tree = { calloc(f->count, sizeof(*tree.node)), f->count, f->excl,
                             f->incl };
    struct row *row = calloc(f->count, sizeof(*row));
    u32 *tree_node = calloc(f->count, sizeof(*tree_node)); /* by node */
    u32 end = 1;

    if (!tree.node || !row || !tree_node) {
        free(tree.node);
        free(row);
        free(tree_node);
        return -ENOMEM;
    }
    tree.node[0] = settled(f, 0, 0, 0);
    for (u32 i = 0; i < f->count; i++) {
        u32 depth = tree.node[i].depth + 1;

        sort_children(f, order, tree_node[i], row);
        tree.node[i].child = tree.node[i].nchildren ? end : 0;
        for (u32 k = 0; k < tree.node[i].nchildren; k++, end++) {
            tree_node[end] = row[k].index;
            tree.node[end] = settled(f, row[k].index, i, depth);
        }
    }
    free(row);
    free(tree_node);
    *out = tree;
    grid_open(&f->excl);
    grid_open(&f->incl);
    return 0;
}

int
calltree_build(struct session *session, const struct order *order,
               struct calltree *out)
{
    struct stack_tree walk;
    struct folding f = {
        .session = session,
        .walk = &walk,
        .brief = session->names == NAME_BRIEF,
    };
    int ret = aggregate_open(session, false, &walk);

    if (ret < 0)
        return ret;
    grid_open(&f.excl);
    grid_open(&f.incl);
    f.of_node = calloc((size_t)walk.count + 1, sizeof(*f.of_node));
    ret = f.of_node ? fold(&f) : -ENOMEM;
    if (ret == 0)
        ret = add_up(&f);
    if (ret == 0)
        ret = settle(&f, order, out);
    grid_close(&f.excl);
    grid_close(&f.incl);
    free(f.of_node);
    free(f.tree_node);
    hash_free(&f.hash);
    aggregate_close(&walk);
    return ret;
}

void
calltree_free(struct calltree *tree)
{
    free(tree->node);
    grid_close(&tree->excl);
    grid_close(&tree->incl);
    tree->node = NULL;
    tree->count = 0;
}

int
calltree_fold(struct session *session, const struct stack_tree *walk, const u32 *same,
              struct calltree_fold *out)
{
    struct folding f = { .session = session, .walk = walk, .same = same };
    struct calltree_fold tree = { 0 };
    int ret;

    f.of_node = calloc((size_t)walk->count + 1, sizeof(*f.of_node));
    ret = f.of_node ? fold(&f) : -ENOMEM;
    hash_free(&f.hash);
    tree.count = f.count;
    tree.of_node = f.of_node;
    tree.func = malloc(((size_t)f.count + 1) * sizeof(*tree.func));
    tree.parent = malloc(((size_t)f.count + 1) * sizeof(*tree.parent));
    if (!tree.func || !tree.parent)
        ret = -ENOMEM;
    for (u32 i = 0; i < f.count && ret == 0; i++) {
        tree.func[i] = f.tree_node[i].func;
        tree.parent[i] = f.tree_node[i].parent;
    }
    free(f.tree_node);
    if (ret < 0)
        calltree_fold_free(&tree);
    else
        *out = tree;
    return ret;
}

void
calltree_fold_free(struct calltree_fold *fold)
{
    free(fold->func);
    free(fold->parent);
    free(fold->of_node);
    *fold = (struct calltree_fold){ 0 };
}
