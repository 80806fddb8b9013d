/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/stacknodes.h"

#include <errno.h>

#include "print/base/array.h"

struct key {
    const struct stacks *stacks;
    struct stack node;
};

static bool
same_node(const void *context, u32 index)
{
    const struct key *key = context;
    const struct stack *node = &key->stacks->node[index];

    return node->parent == key->node.parent && node->site == key->node.site;
}

int
stacknodes_child(struct stacks *stacks, u32 parent, u32 site, u32 *node)
{
    struct key key = { stacks, { parent, site } };
    u32 value = (u32)hash_mix((u64)parent << 32 | site);
    u32 at = hash_find(&stacks->hash, value, same_node, &key);

    if (at == HASH_NONE) {
        if (array_room(&stacks->node, &stacks->room, stacks->count + 1,
                       sizeof(key.node)) < 0 ||
            hash_add(&stacks->hash, value, stacks->count) < 0)
            return -ENOMEM;
        at = stacks->count++;
        stacks->node[at] = key.node;
    }
    *node = at;
    return 0;
}
