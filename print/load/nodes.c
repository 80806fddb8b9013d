/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/nodes.h"

#include <errno.h>
#include <string.h>

#include "print/load/fixed.h"

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

int
nodes_get(const struct nodes *nodes, u32 id, struct node_row *out)
{
    const unsigned char *row;
    struct node_row node;

    if (id == 0 || id >= nodes->count)
        return -ENOENT;
    row = nodes->data + (u64)id * nodes->row_bytes;
    node.parent = (u32)fixed_get(row, nodes->parent);
    node.instance = (u32)fixed_get(row, nodes->instance);
    node.pc = fixed_get(row, nodes->pc);
    node.flags = (u32)fixed_get(row, nodes->flags);
    if (!node.parent && !node.instance && !node.pc && !node.flags)
        return -ENOENT;
    if (node.parent == id || node.parent >= nodes->count)
        return -EBADMSG;
    *out = node;
    return 0;
}
