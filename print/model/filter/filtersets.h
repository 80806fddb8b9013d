/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binds nodes that ask for files, data objects, regions and calls. For filterbind.c.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERSETS_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERSETS_H

#include "print/model/filter/binding.h"

/*
 * The functions below add a node, and return its number as binding_add() does. If this
 * kind of record lacks the property, it is that of binding_missing().
 */

/* Add a node for the file's descriptor, or for the number of an event's data object. */
u32 filtersets_descriptor(struct binding *b, const struct token_desc *token);
u32 filtersets_data(struct binding *b, const struct token_desc *token);

/* Add a node for CALL or CALLARG. */
u32 filtersets_call(struct binding *b, const struct filter_node *n);

/* Add a node for IOFNAME, IOFSTYPE or FILEIOVFD; or for DNAME. */
u32 filtersets_files(struct binding *b, const struct filter_node *n);
u32 filtersets_names(struct binding *b, const struct filter_node *n);

/*
 * Add a node for REGIONID or REGIONTIME; or for a condition with names of regions.
 * Records that sum up OpenMP work over some time belong to no region.
 */
u32 filtersets_region(struct binding *b, enum bound_op kind);
u32 filtersets_region_names(struct binding *b, const struct filter_node *n);

#endif
