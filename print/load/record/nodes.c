/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/nodes.h"

#include <errno.h>
#include <string.h>

#include "print/load/record/fixed.h"

int
nodes_open(struct nodes *out, const struct schema_file *file, const void *data,
           u64 size)
{
    const struct schema_record *record = file ? schema_find_record(file, "node") : NULL;
    struct nodes nodes = { .data = data };
    u64 count;

    if (!record)
        return -EINVAL;
    nodes.row_bytes = schema_row_bytes(record);
    if (!nodes.row_bytes || fixed_field(record, "parent", &nodes.parent) < 0 ||
        fixed_field(record, "instance", &nodes.instance) < 0 ||
        fixed_field(record, "pc", &nodes.pc) < 0)
        return -EINVAL;
    if (fixed_field(record, "flags", &nodes.flags) < 0)
        nodes.flags.bytes = 0;
    count = size / nodes.row_bytes;
    nodes.count = count > UINT32_MAX ? UINT32_MAX : (u32)count;
    *out = nodes;
    return 0;
}

u32
nodes_at(const struct nodes *nodes, u32 id, u64 tick)
{
    const struct node_times *t = nodes->times;
    u32 low = 0, high;

    if (!t || id >= t->base || !t->first[id])
        return id;
    high = t->span[id];
    while (low + 1 < high) {
        u32 middle = low + (high - low) / 2;

        if (t->row[t->first[id] - t->base + middle].from <= tick)
            low = middle;
        else
            high = middle;
    }
    return t->first[id] + low;
}

static int
get_substitute(const struct nodes *nodes, u32 id, struct node_row *out)
{
    const struct node_substitute *s = &nodes->times->row[id - nodes->times->base];
    int ret = nodes_get(nodes, s->id, out);

    if (ret == 0) {
        out->parent = s->parent;
        out->made = s->owner;
    }
    return ret;
}

int
nodes_get(const struct nodes *nodes, u32 id, struct node_row *out)
{
    const unsigned char *row;
    struct node_row node = { 0 };

    if (id == 0 || id >= nodes->count)
        return -ENOENT;
    if (nodes->times && id >= nodes->times->base)
        return get_substitute(nodes, id, out);
    row = nodes->data + (u64)id * nodes->row_bytes;
    node.parent = (u32)fixed_get(row, nodes->parent);
    node.instance = (u32)fixed_get(row, nodes->instance);
    node.pc = fixed_get(row, nodes->pc);
    node.flags = (u32)fixed_get(row, nodes->flags);
    if (!node.parent && !node.instance && !node.pc && !node.flags)
        return -ENOENT;
    if (node.parent == id || node.parent >= nodes->count)
        return -EBADMSG;
    if (nodes->times)
        node.made = nodes->times->owner[id];
    *out = node;
    return 0;
}
