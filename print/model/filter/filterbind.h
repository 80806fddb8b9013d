/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binds a filter to one kind of record in one experiment, and evaluates it. Binding is
 * for the session's thread; a bound filter may be evaluated by any number of threads.
 * For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERBIND_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERBIND_H

#include "print/model/filter/filterbound.h"

/*
 * Bind the session's filter to a kind of record of experiment `index`. timeless: the
 * records' time is not that of the event, so it is taken as unknown. *out is NULL if
 * every event passes; else it is for filterbind_free(). 0 or -ENOMEM.
 */
int filterbind(struct session *session, u32 index, const struct schema_file *file,
               const struct schema_record *record, bool timeless,
               struct bound_filter **out);
void filterbind_free(struct bound_filter *bound);

/*
 * Like filterbind(), for an expression whose value the caller wants. tests: made by
 * filterstack_make() for the expression. *out is never NULL.
 */
int filterbind_expr(struct session *session, u32 index, const struct schema_file *file,
                    const struct schema_record *record, bool timeless,
                    const struct filter_expr *expr, const struct stack_tests *tests,
                    struct bound_filter **out);

/* Does the event pass the filter? If `bound` is NULL, every event does. */
bool filterbind_accepts(const struct bound_filter *bound,
                        const struct filter_event *event);

/*
 * Set *passes to whether a stack of the session that no record has, such as
 * <unattributed>, passes the filter for experiment `index`. 0 or -errno.
 */
int filterbind_pseudo(struct session *session, u32 index, u32 node, bool *passes);

#endif
