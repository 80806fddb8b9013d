/* SPDX-License-Identifier: Apache-2.0 */
/* Merges call trees of groups: nodes whose paths have the same names become one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"
#include "print/cmd/view/treedraw.h"

/* A node of the merged tree; 0 is <Total>, parents have lower numbers than children. */
struct tree_node {
    u32 func;
    u32 parent;
    u32 child;
    u32 sibling;
    u32 nchildren;
    int64_t rank;
};

/* The tree of one group. */
struct part {
    struct calltree tree;
    u32 *tree_node; /* by node */
    struct grid excl, incl; /* by tree_node */
};

struct merging {
    struct comparison *c;
    struct tree_node *tree_node;
    u32 count;
    struct hash hash; /* (parent, name) */
    struct part *part; /* by group */
    struct entry scratch;
};

struct wanted {
    const struct merging *m;
    u32 parent;
    u32 func;
};

static bool
same_name(const struct comparison *c, u32 one, u32 other)
{
    return one == other || !strcmp(comparison_key(c, one), comparison_key(c, other));
}

static bool
same_node(const void *context, u32 index)
{
    const struct wanted *wanted = context;
    const struct tree_node *tree_node = &wanted->m->tree_node[index];

    return tree_node->parent == wanted->parent &&
           same_name(wanted->m->c, tree_node->func, wanted->func);
}

/* The child of `parent` with that name, made if it is new; HASH_NONE: no memory. */
static u32
child_of(struct merging *m, u32 parent, u32 func)
{
    struct wanted wanted = { m, parent, func };
    u32 value = (u32)hash_str(hash_mix(parent), comparison_key(m->c, func));
    u32 at = hash_find(&m->hash, value, same_node, &wanted);

    if (at != HASH_NONE)
        return at;
    if (hash_add(&m->hash, value, m->count) < 0)
        return HASH_NONE;
    m->tree_node = mem_grow(m->tree_node, m->count, sizeof(*m->tree_node));
    m->tree_node[m->count] = (struct tree_node){
        .func = func,
        .parent = parent,
        .sibling = m->tree_node[parent].child,
    };
    m->tree_node[parent].child = m->count;
    m->tree_node[parent].nchildren++;
    return m->count++;
}

static int
add_group(struct comparison *c, u32 group, void *context)
{
    struct merging *m = context;
    struct part *part = &m->part[group];
    int err = calltree_build(c->sh->session, &c->order, &part->tree);

    if (err)
        return err;
    part->tree_node = calloc(part->tree.count, sizeof(*part->tree_node));
    if (!part->tree_node)
        return -ENOMEM;
    c->whole[group] = calltree_incl(&part->tree, 0);
    for (u32 i = 1; i < part->tree.count; i++) {
        const struct calltree_node *n = &part->tree.node[i];

        part->tree_node[i] = child_of(m, part->tree_node[n->parent], n->func);
        if (part->tree_node[i] == HASH_NONE)
            return -ENOMEM;
    }
    return 0;
}

/* Add up a group's values by tree_node; they were by node. */
static int
spread(const struct merging *m, struct part *part)
{
    const struct calltree *tree = &part->tree;

    if (grid_open_like(&part->excl, &tree->excl, m->count) < 0 ||
        grid_open_like(&part->incl, &tree->incl, m->count) < 0)
        return -ENOMEM;
    for (u32 i = 0; i < tree->count; i++) {
        grid_add_row(&part->excl, part->tree_node[i], &tree->excl, tree->node[i].row);
        grid_add_row(&part->incl, part->tree_node[i], &tree->incl, tree->node[i].row);
    }
    return 0;
}

static const struct entry *
entry_of(struct merging *m, u32 tree_node)
{
    m->scratch.sampled = comparison_sampled(m->tree_node[tree_node].func);
    for (u32 g = 0; g < m->c->ngroups; g++) {
        m->scratch.excl[g] = grid_get(&m->part[g].excl, tree_node);
        m->scratch.incl[g] = grid_get(&m->part[g].incl, tree_node);
        m->scratch.attr[g] = m->scratch.incl[g];
    }
    return &m->scratch;
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct merging *m = context;
    const struct order *order = &m->c->order;
    const struct tree_node *x = &m->tree_node[*(const u32 *)a];
    const struct tree_node *y = &m->tree_node[*(const u32 *)b];
    int diff = 0;

    if (order->by == ORDER_METRIC)
        diff = x->rank < y->rank ? 1 : x->rank > y->rank ? -1 : 0;
    if (!diff)
        diff = strcmp(comparison_key(m->c, x->func), comparison_key(m->c, y->func));
    return order->reverse ? -diff : diff;
}

/*
 * Number nodes breadth first, so that children are consecutive; `row` becomes the
 * tree_node.
 */
static int
settle(struct merging *m, struct calltree *tree)
{
    u32 *child = calloc(m->count, sizeof(*child)), end = 1;

    tree->node = calloc(m->count, sizeof(*tree->node));
    tree->count = m->count;
    if (!child || !tree->node) {
        free(child);
        return -ENOMEM;
    }
    tree->node[0].func = FUNC_TOTAL;
    for (u32 i = 0; i < m->count; i++) {
        struct calltree_node *node = &tree->node[i];
        u32 n = 0;

        for (u32 k = m->tree_node[node->row].child; k; k = m->tree_node[k].sibling)
            child[n++] = k;
        qsort_r(child, n, sizeof(*child), compare, m);
        node->nchildren = n;
        node->child = n ? end : 0;
        for (u32 k = 0; k < n; k++)
            tree->node[end++] = (struct calltree_node){
                .func = m->tree_node[child[k]].func,
                .parent = i,
                .depth = node->depth + 1,
                .row = child[k],
            };
    }
    free(child);
    return 0;
}

static int
merge(struct merging *m, struct calltree *tree)
{
    int err = comparison_each_group(m->c, add_group, m);

    for (u32 g = 0; g < m->c->ngroups && !err; g++)
        err = spread(m, &m->part[g]);
    for (u32 i = 0; i < m->count && !err; i++)
        m->tree_node[i].rank = comparison_rank(m->c, entry_of(m, i));
    return err ? err : settle(m, tree);
}

static int
show(struct merging *m, const char *command, const struct calltree *tree)
{
    struct comparison *c = m->c;
    struct table *t = list_table(command, "Call tree", &c->order);
    struct comparison_columns cols;
    struct treedraw d;
    u32 left = shell_limit(c->sh, t, tree->count);

    treedraw_open(&d, t, tree);
    comparison_facts(c, t);
    comparison_noise_fact(c, t);
    comparison_columns(c, &cols, t, MCOLS_CALLS);
    treedraw_names(&d);
    for (u32 i = 0; left; i = treedraw_next(&d, i), left--) {
        const struct calltree_node *n = &tree->node[i];

        table_row(t, 0);
        comparison_fill(c, &cols, entry_of(m, n->row));
        treedraw_node(&d, i, comparison_shown(c, n->func));
    }
    treedraw_close(&d);
    comparison_columns_free(&cols);
    return shell_show(c->sh, t);
}

static void
close_merging(struct merging *m)
{
    for (u32 g = 0; g < m->c->ngroups; g++) {
        struct part *part = &m->part[g];

        calltree_free(&part->tree);
        grid_close(&part->excl);
        grid_close(&part->incl);
        free(part->tree_node);
    }
    hash_free(&m->hash);
    free(m->tree_node);
    comparison_close(m->c);
}

int
compare_calltree(struct shell *sh, const char *command)
{
    struct calltree tree = { 0 };
    struct comparison c;
    struct merging m = { .c = &c, .count = 1 };
    int err;

    comparison_open(&c, sh, list_call_order(sh));
    m.part = arena_alloc(&c.arena, c.ngroups * sizeof(*m.part));
    m.scratch = comparison_scratch(&c);
    m.tree_node = mem_grow(NULL, 0, sizeof(*m.tree_node));
    m.tree_node[0] = (struct tree_node){ .func = FUNC_TOTAL };
    err = merge(&m, &tree);
    err = err ? shell_fail_errno(sh, err, "the call trees cannot be compared")
              : show(&m, command, &tree);
    free(tree.node);
    close_merging(&m);
    return err;
}
