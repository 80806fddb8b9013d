/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack nodes of an experiment, from the file frameinfo. Ids need not be valid. In
 * a damaged file, parents may form a cycle.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_NODES_H
#define ERTOOLS_PRINT_LOAD_RECORD_NODES_H

#include "print/load/record/fixed.h"
#include "print/load/record/schema.h"
#include "share/types.h"

/*
 * One node. parent = 0: it is the root of a stack. Threads reserve ids in batches, so a
 * parent may have a higher id than its child.
 */
struct node_row {
    u32 parent;
    u32 instance; /* load instance of pc, 0 = not known */
    u64 pc;
    u32 flags; /* bits of enum er_node_flag */
    u32 made;  /* index + 1 of the function made at run time that has pc, 0 = none */
};

/* What a node stands for from a time to the next substitute's; see madenodes.h. */
struct node_substitute {
    u64 from; /* ticks */
    u32 id;   /* the node in the file */
    u32 parent;
    u32 owner; /* the substitute's node_row.made */
};

struct node_times {
    u32 base;   /* nodes in the file; also the first substitute's id */
    u32 *owner; /* by id of a node in the file: its node_row.made */
    u32 *first; /* by the same id: its first substitute's id, 0 = it has none */
    u32 *span;  /* by the same id: how many substitutes it has; 1 if none */
    struct node_substitute *row; /* by the substitute's id - base */
    u32 rows;
};

/* The nodes in the file, whose memory the experiment owns. */
struct nodes {
    const unsigned char *data;
    u32 count; /* ids are 1 to count - 1 */
    u32 row_bytes;
    struct fixed parent, instance, pc, flags;
    struct node_times *times; /* NULL: no node changes its meaning */
};

/*
 * Prepare to read `size` bytes of rows. 0; -EINVAL: the schema does not describe them.
 */
int nodes_open(struct nodes *out, const struct schema_file *file, const void *data,
               u64 size);

/*
 * Get a node. 0 and *out; -ENOENT: the id is out of range, or the row was never
 * written; -EBADMSG: damage, the parent is the node itself or out of range.
 */
int nodes_get(const struct nodes *nodes, u32 id, struct node_row *out);

/* The id of the node's substitute for a time in ticks; `id` itself if it has none. */
u32 nodes_at(const struct nodes *nodes, u32 id, u64 tick);

#endif
