/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions of filters on stacks. Each IN, SOME IN or ORDERED IN of functions is
 * evaluated once for each stack, and the results are kept in a table. For the model's
 * own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERSTACK_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERSTACK_H

#include "print/model/filter/filterparse.h"
#include "print/model/symbols/stacks.h"

/* The results of one such operator. */
struct stack_test {
    const struct filter_expr *expr;
    u32 node; /* the operator's index in expr->node */
    unsigned char *by_node; /* by stack node of the session: 0 or 1 */
    unsigned char **by_id;  /* by experiment, then by node id; id 0 = <Unknown> */
};

struct stack_tests {
    struct stack_test *test;
    u32 count;
    u32 nodes;       /* elements of each by_node */
    u32 *ids;        /* by experiment: elements of by_id[experiment] */
    u32 experiments;
};

/*
 * Make the tests of `count` expressions, some of which may be NULL. 0 and *out for
 * filterstack_free(), or -ENOMEM.
 */
int filterstack_make(struct session *session, struct filter_expr *const *expr,
                     u32 count, struct stack_tests *out);
void filterstack_free(struct stack_tests *tests);

/*
 * The number of the test for a node of an expression; tests->count if it is not a test.
 */
u32 filterstack_find(const struct stack_tests *tests, const struct filter_expr *expr,
                     u32 node);

#endif
