/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/outtree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/symbols/function.h"

static int
find_names(const struct out *out, struct outtree *tree)
{
    u32 deepest = 0;

    tree->is_used = calloc((size_t)function_count(out->session) + 1,
                           sizeof(*tree->is_used));
    if (!tree->is_used)
        return -ENOMEM;
    for (u32 i = 1; i < tree->tree.count; i++) {
        tree->is_used[tree->tree.node[i].func] = true;
        if (tree->tree.node[i].depth > deepest)
            deepest = tree->tree.node[i].depth;
    }
    tree->path = calloc((size_t)deepest + 1, sizeof(*tree->path));
    if (!tree->path)
        return -ENOMEM;
    return outname_open(out->session, tree->is_used, &tree->name);
}

int
outtree_open(const struct out *out, struct outtree *tree)
{
    struct order order = { ORDER_METRIC, out->metric, FLAVOUR_INCLUSIVE, false };
    int ret;

    memset(tree, 0, sizeof(*tree));
    ret = calltree_build(out->session, &order, &tree->tree);
    if (ret == 0)
        ret = find_names(out, tree);
    if (ret < 0)
        outtree_close(tree);
    return ret;
}

void
outtree_close(struct outtree *tree)
{
    if (tree->tree.node)
        calltree_free(&tree->tree);
    outname_close(&tree->name);
    free(tree->is_used);
    free(tree->path);
    memset(tree, 0, sizeof(*tree));
}

u32
outtree_path(struct outtree *tree, u32 node)
{
    u32 depth = tree->tree.node[node].depth;

    for (u32 at = node, i = depth; i; at = tree->tree.node[at].parent)
        tree->path[--i] = tree->tree.node[at].func;
    return depth;
}

u32
outtree_next(const struct outtree *tree, u32 node)
{
    const struct calltree_node *n = tree->tree.node;

    if (n[node].child)
        return n[node].child;
    while (node) {
        u32 parent = n[node].parent;

        if (node + 1 < n[parent].child + n[parent].nchildren)
            return node + 1;
        node = parent;
    }
    return 0;
}
