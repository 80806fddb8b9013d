/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For filter words that ask for calls of named functions: for the function, an
 * argument, or the result. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERCALLS_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERCALLS_H

#include <regex.h>

#include "print/model/lookup/calls.h"

/* The named functions and texts of an experiment. */
struct filter_calls {
    struct calls calls;
    u32 *name; /* by the callee's id: index in calls.name, or CALLS_NO_NAME */
    u32 ids;   /* elements of `name` */
};

/* The question of one comparison: for functions, an argument's text, or its number. */
struct filter_call_set {
    /* 0 or 1, by callee's id or (if there is a pattern) by index in calls.text */
    unsigned char *fits;
    /* by name: callvalue_find() of the argument; NULL = any argument or the result */
    int *argument;
    const regex_t *pattern; /* for an argument's text; else NULL */
};

/* A call as it is in its record. */
struct filter_call {
    u32 callee;
    u32 end; /* enum er_call_end */
    struct er_str values;
};

/*
 * Read the functions and texts. 0 and *out for filtercalls_free(), or -ENOMEM. *out is
 * empty if the experiment has no such data.
 */
int filtercalls_load(struct session *session, u32 experiment, struct filter_calls *out);
void filtercalls_free(struct filter_calls *calls);

/*
 * Make the set of calls of functions whose name matches. 0 and *out for
 * filtercalls_set_free(), or -ENOMEM.
 */
int filtercalls_named(const struct filter_calls *calls, const regex_t *pattern,
                      struct filter_call_set *out);

/*
 * Make a set for an argument. word: the argument's name, its place (from 1), "result",
 * or "text" (the first argument that is text); len 0 = any argument. If there is a
 * pattern, the set contains the calls whose argument, as text, matches it; the pattern
 * must live as long as the set. If it is NULL, filtercalls_number() gets the argument's
 * value as an integer. 0 and *out for filtercalls_set_free(), or -ENOMEM.
 */
int filtercalls_argument(const struct filter_calls *calls, const char *word, u32 len,
                         const regex_t *pattern, struct filter_call_set *out);
void filtercalls_set_free(struct filter_call_set *set);

/*
 * Get the argument's value. False: the call has no such argument, or the argument is
 * not a number. Any thread.
 */
bool filtercalls_number(const struct filter_calls *calls,
                        const struct filter_call_set *set,
                        const struct filter_call *call, int64_t *out);

/*
 * Is the call in the set? *known: are the function and the argument that is asked for
 * known? Any thread.
 */
bool filtercalls_fits(const struct filter_calls *calls,
                      const struct filter_call_set *set,
                      const struct filter_call *call, bool *known);

#endif
