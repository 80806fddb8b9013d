/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters select events. A filter is an expression over properties of an event
 * (tokens.def). Conditions on stacks are evaluated once per stack, others while events
 * are decoded. The language is described in doc/man/er_print.1.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTER_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTER_H

#include <stdbool.h>

#include "print/model/session.h"
#include "share/types.h"

/* A session's filter has parts, all of which an event must pass. */
enum filter_part {
    FILTER_EXPRESSION,
    FILTER_SAMPLES,
    FILTER_LWPS,
    FILTER_THREADS,
    FILTER_CPUS,
    FILTER_GROUP, /* set only while groups are compared */
    FILTER_REGION, /* set only while stacks are listed by region */
    FILTER_PARTS,
};

struct filter_error {
    u32 column; /* in the expression, from 1 */
    char text[200];
};

int filter_open(struct session *session);
void filter_close(struct filter *filter);

/*
 * Set a part: from now on, results count only events that pass it. text: an expression,
 * NULL = all events pass. If an event lacks a property (residuals have no time),
 * comparisons with that property are false. 0; -EINVAL and *error: the text is not a
 * filter; or -ENOMEM. On an error, nothing changes.
 */
int filter_set(struct session *session, enum filter_part part, const char *text,
               struct filter_error *error);

/* Is a text a filter expression? Like filter_set(), but nothing is set. */
int filter_check(const struct session *session, const char *text,
                 struct filter_error *error);

/* The text of a part, NULL = it was not set. */
const char *filter_text(const struct session *session, enum filter_part part);

/* Is any part set? */
bool filter_is_set(const struct session *session);

/*
 * The path of the region whose REGIONID is `number`, for the caller to free. NULL:
 * there is none, or no memory.
 */
char *filter_region(struct session *session, int64_t number);

/* Like filter_region(), but with each name on its own line, which ends with '\n'. */
char *filter_region_lines(struct session *session, int64_t number);

#endif
