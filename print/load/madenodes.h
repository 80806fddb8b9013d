/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack nodes in code that was made at run time. If an address had the same function
 * all the time, its node stands for that function. If it had several functions, or one
 * that was removed, the node stands for different things at different times. So it gets
 * substitutes: one for each interval in which neither its function nor those of its
 * callers change. The substitutes' ids are above all others; in a record, the node's id
 * is replaced by that of the substitute for the record's time.
 */
#ifndef ERTOOLS_PRINT_LOAD_MADENODES_H
#define ERTOOLS_PRINT_LOAD_MADENODES_H

#include "print/load/made.h"
#include "print/load/nodes.h"

/*
 * Make the substitutes for the nodes of an experiment: sets nodes->times, and increases
 * nodes->count. wanted(): may this node be in made code? 0 or -ENOMEM; -EOVERFLOW:
 * there would be too many substitutes, so none were made.
 */
int madenodes_open(struct nodes *nodes, const struct made *made,
                   bool (*wanted)(const void *context, const struct node_row *row),
                   const void *context);
void madenodes_free(struct nodes *nodes);

#endif
