/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of binding a filter: its nodes are added one by one. For filterbind.c and
 * filtersets.c.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_BINDING_H
#define ERTOOLS_PRINT_MODEL_FILTER_BINDING_H

#include "print/model/filter/filterbound.h"

/* The state of binding a filter to a kind of record. */
struct binding {
    struct session *session;
    struct bound_filter *out;
    const struct filter_expr *expr;
    const struct schema_file *file;
    const struct schema_record *record; /* NULL = there is only a stack, no record */
    bool timeless;
    bool no_memory;
};

/* Add a node; returns its number. If memory runs out, returns 0 and sets no_memory. */
u32 binding_add(struct binding *b, struct bound_node node);
/* Add a node whose value is unknown; returns as binding_add(). */
u32 binding_missing(struct binding *b);

/* The index of a token's field in this kind of record, -1 = it has none. */
int binding_field(const struct binding *b, const struct token_desc *token);

#endif
