/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack nodes in code that was made at run time. Where an address had one function for
 * all its life, its node means that one. Where it had several, or one that went, the
 * node means another thing at each time: then it has substitutes, one for each interval
 * in which nothing changes in it and the frames that called it. They have ids behind
 * all others, and records that name the node get, by their times, the substitute's.
 */
#ifndef ERTOOLS_PRINT_LOAD_MADENODES_H
#define ERTOOLS_PRINT_LOAD_MADENODES_H

#include "print/load/made.h"
#include "print/load/nodes.h"

/*
 * Find out what the nodes of an experiment mean: sets nodes->times, and nodes->count to
 * what it is with the substitutes. `wanted` says whether a row may be in such code.
 * 0 or -ENOMEM; -EOVERFLOW: there would be too many substitutes, and there are none.
 */
int madenodes_open(struct nodes *nodes, const struct made *made,
                   bool (*wanted)(const void *context, const struct node_row *row),
                   const void *context);
void madenodes_free(struct nodes *nodes);

#endif
