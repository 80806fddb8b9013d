/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binding a filter to a kind of record: what filterbind.c shares with filtersets.c,
 * which binds nodes that ask for names of files, data objects and regions. For these
 * two alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERSETS_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERSETS_H

#include "print/model/filter/filterbind.h"

struct binding {
    struct session *session;
    struct bound_filter *out;
    const struct filter_expr *expr;
    const struct schema_file *file;
    const struct schema_record *record; /* NULL = a stack alone */
    bool timeless;
    bool no_memory;
};

/* Add a node; returns its number. If memory runs out, returns 0 and sets no_memory. */
u32 binding_add(struct binding *b, struct bound_node node);
u32 binding_missing(struct binding *b);

/* The index of the field that a token means in this kind of record, -1 = none. */
int binding_field(const struct binding *b, const struct token_desc *token);

/* Add a node for the file's descriptor, or for the number of an event's data object. */
u32 filtersets_descriptor(struct binding *b, const struct token_desc *token);
u32 filtersets_data(struct binding *b, const struct token_desc *token);

/* CALL and CALLARG. */
u32 filtersets_call(struct binding *b, const struct filter_node *n);

/* IOFNAME, IOFSTYPE and FILEIOVFD; and DNAME. */
u32 filtersets_files(struct binding *b, const struct filter_node *n);
u32 filtersets_names(struct binding *b, const struct filter_node *n);

/*
 * Nodes for REGIONID and REGIONTIME; and for conditions with names of regions. Records
 * that sum up OpenMP work over some time belong to no region.
 */
u32 filtersets_region(struct binding *b, enum bound_op kind);
u32 filtersets_region_names(struct binding *b, const struct filter_node *n);

#endif
