/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filter words that ask for calls of named functions: for the function, an argument, or
 * the result. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERCALLS_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERCALLS_H

#include <regex.h>

#include "print/model/lookup/calls.h"

/* Functions and texts of an experiment. */
struct filter_calls {
    struct calls calls;
    u32 *name; /* in calls.name, by the callee's id */
    u32 ids;
};

/* What one comparison asks. */
struct filter_call_set {
    unsigned char *fits; /* functions by callee, or texts by index; or NULL */
    int *argument; /* by name: as callvalue_find(); NULL = any argument or the result */
    const regex_t *pattern; /* NULL = a number is asked for */
};

/* A call as it is in its record. */
struct filter_call {
    u32 callee;
    u32 end; /* enum er_call_end */
    struct er_str values;
};

/*
 * 0 and *out for filtercalls_free(), or -ENOMEM. *out is empty if the experiment has no
 * such data.
 */
int filtercalls_load(struct session *session, u32 experiment, struct filter_calls *out);
void filtercalls_free(struct filter_calls *calls);

/*
 * Make the set of calls of functions whose name matches. 0 or -ENOMEM; for
 * filtercalls_set_free().
 */
int filtercalls_named(const struct filter_calls *calls, const regex_t *pattern,
                      struct filter_call_set *out);

/*
 * Make a set for an argument. word: the argument's name, its place (from 1), "result",
 * or "text" (the first argument that is text); len 0 = any argument. If there is a
 * pattern, the set contains the calls whose argument, as text, matches it; the pattern
 * must live as long as the set. If it is NULL, filtercalls_number() gets the argument's
 * value as an integer. 0 or -ENOMEM; for filtercalls_set_free().
 */
int filtercalls_argument(const struct filter_calls *calls, const char *word, u32 len,
                         const regex_t *pattern, struct filter_call_set *out);
void filtercalls_set_free(struct filter_call_set *set);

/*
 * Get the argument's value. false: the call has no such argument, or it is no number.
 * Any thread.
 */
bool filtercalls_number(const struct filter_calls *calls,
                        const struct filter_call_set *set,
                        const struct filter_call *call, int64_t *out);

/*
 * Is the call in the set? *known: does the call have the argument that is asked for?
 * Any thread.
 */
bool filtercalls_fits(const struct filter_calls *calls,
                      const struct filter_call_set *set,
                      const struct filter_call *call, bool *known);

#endif
