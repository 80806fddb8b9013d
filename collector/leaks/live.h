/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the blocks that were not freed, in a heap trace to which the target may still
 * write. For each address only the latest event counts, so the chunks may be read in
 * any order. Called by any thread of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_LEAKS_LIVE_H
#define ERTOOLS_COLLECTOR_LEAKS_LIVE_H

#include "collector/leaks/graph.h"
#include "share/types.h"

/* An address at which a block began or was freed. */
struct live_row {
    u64 addr; /* 0 = the slot is free */
    u64 order; /* of the latest event: its time * 2, + 1 if it began a block */
    u64 size;  /* of the latest block, 0 = none has begun */
};

struct live {
    struct live_row *row; /* a hash table */
    u64 rows;             /* slots, a power of two; 0 = none */
    u64 used;
    u64 count; /* blocks that were not freed */
    u64 bytes;
};

/*
 * Read the first `bytes` of the file. 0 or -errno: -ENOMEM; -EBADMSG if the file is
 * damaged or shorter. The caller frees by live_free().
 */
int live_read(struct live *live, int file, u64 bytes);
void live_free(struct live *live);

/*
 * Begin a graph, without edges, of the blocks that were not freed, and add the pages of
 * small blocks that were freed. 0 or -ENOMEM, also if there are too many blocks.
 */
int live_graph(const struct live *live, struct graph *g);

#endif
