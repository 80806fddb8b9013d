/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions of filters on stacks. For each IN, SOME IN or ORDERED IN of functions,
 * they are evaluated once for each stack, and the results kept in a table. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERSTACK_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERSTACK_H

#include "print/model/filter/filterparse.h"
#include "print/model/symbols/stacks.h"

/* One such operator. */
struct stack_test {
    const struct filter_expr *expr;
    u32 node; /* of the expression */
    unsigned char *by_node; /* 0 or 1, by stack node of the session */
    unsigned char **by_id;  /* by experiment, then by its own id; [0] = <Unknown> */
};

struct stack_tests {
    struct stack_test *test;
    u32 count;
    u32 nodes;       /* elements of by_node */
    u32 *ids;        /* elements of by_id, by experiment */
    u32 experiments;
};

/* Make the tests of all expressions; elements of expr[] may be NULL. 0 or -ENOMEM. */
int filterstack_make(struct session *session, struct filter_expr *const *expr,
                     u32 count, struct stack_tests *out);
void filterstack_free(struct stack_tests *tests);

/* The number of the test for a node of an expression. */
u32 filterstack_find(const struct stack_tests *tests, const struct filter_expr *expr,
                     u32 node);

#endif
