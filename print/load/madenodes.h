/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack nodes in code that was made at run time. If an address had only one function,
 * which existed to the end, its node stands for that function. Otherwise the node
 * stands for different things at different times. So it gets substitutes: one for each
 * interval in which neither its function nor those of its callers change. The
 * substitutes' ids are above all others; in a record, the node's id is replaced by that
 * of the substitute for the record's time.
 */
#ifndef ERTOOLS_PRINT_LOAD_MADENODES_H
#define ERTOOLS_PRINT_LOAD_MADENODES_H

#include "print/load/made.h"
#include "print/load/record/nodes.h"

/*
 * Make the substitutes for the nodes of an experiment: set nodes->times, and add the
 * substitutes to nodes->count. wanted(): may this node be in made code? 0; -ENOMEM; or
 * -EOVERFLOW: there would be too many substitutes. On an error, none are made.
 */
int madenodes_open(struct nodes *nodes, const struct made *made,
                   bool (*wanted)(const void *context, const struct node_row *row),
                   const void *context);
void madenodes_free(struct nodes *nodes);

#endif
