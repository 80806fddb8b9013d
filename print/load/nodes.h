/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack nodes of an experiment, from the file frameinfo. Any id may be asked for.
 * In a damaged file, parents may form a cycle.
 */
#ifndef ERTOOLS_PRINT_LOAD_NODES_H
#define ERTOOLS_PRINT_LOAD_NODES_H

#include "print/load/fixed.h"
#include "print/load/schema.h"
#include "share/types.h"

/*
 * One node. parent = 0: it is the root of a stack. Threads reserve ids in batches, so a
 * parent may have a higher id than its child. Code that follows parents must expect
 * cycles.
 */
struct node_row {
    u32 parent;
    u32 instance;
    u64 pc;
    u32 flags; /* enum er_node_flag */
    u32 made;  /* index + 1 of the function made at run time that it is in, 0 = none */
};

/* What a node stands for from a time on; see madenodes.h. */
struct node_substitute {
    u64 from; /* ticks */
    u32 id;   /* the node in the file */
    u32 parent;
    u32 owner; /* as node_row.made */
};

struct node_times {
    u32 base;   /* nodes in the file: the first substitute's id */
    u32 *owner; /* by id: as node_row.made */
    u32 *first; /* by id: its first substitute's id, 0 = it has none */
    u32 *span;  /* and how many there are */
    struct node_substitute *row; /* by id - base */
    u32 rows;
};

/* The nodes in the mapped file; the experiment owns the mapping. */
struct nodes {
    const unsigned char *data;
    u32 count; /* ids are below it; 0 is none */
    u32 row_bytes;
    struct fixed parent, instance, pc, flags;
    struct node_times *times; /* NULL: no node changes its meaning */
};

/* 0; or -EINVAL if the schema does not describe such rows. */
int nodes_open(struct nodes *out, const struct schema_file *file, const void *data,
               u64 size);

/*
 * Get a node. 0 and *out; -ENOENT: the id is out of range, or the row was never
 * written; -EBADMSG: the parent is the node itself, or out of range (no writer makes
 * such nodes).
 */
int nodes_get(const struct nodes *nodes, u32 id, struct node_row *out);

/* The id of the node, or of its substitute, at a time in ticks. */
u32 nodes_at(const struct nodes *nodes, u32 id, u64 tick);

#endif
