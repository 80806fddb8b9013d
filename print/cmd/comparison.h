/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the rows of all groups and matches them by name. For compare.c and similar
 * files. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMPARISON_H
#define ERTOOLS_PRINT_CMD_COMPARISON_H

#include "print/cmd/list.h"
#include "print/base/hash.h"
#include "print/model/views/noise.h"

enum compare_view {
    COMPARE_FUNCTIONS,
    COMPARE_LINES,
    COMPARE_PCS,
    COMPARE_CALLS,
};

/* What a row of calls is about; rows are listed in this order. */
enum compare_role {
    ROLE_CALLER,
    ROLE_SELF,
    ROLE_CALLEE,
};

/* A function, a line, a program counter or a call, with its values in all groups. */
struct entry {
    const char *key; /* its long name, and what tells it from others of that name */
    const char *name;
    const char *place; /* line, pc etc.: distinguishes equal names; "" for functions */
    bool sampled;      /* its CPU time is a sum of samples, not the kernel's account */
    enum compare_role role; /* in COMPARE_CALLS only */
    struct values *excl;    /* by group */
    struct values *incl;
    struct values *attr; /* in COMPARE_CALLS only */
};

struct comparison {
    struct shell *sh;
    enum compare_view view;
    u32 *group; /* numbers of the groups */
    u32 ngroups;
    struct noise *noise;  /* by group */
    struct values *whole; /* by group: the values of which percentages are shown */
    struct entry *entry;  /* [0] is <Total>, except for calls */
    u32 count;
    struct hash hash;
    struct arena arena;
    struct order order;
    const char **key; /* by function: equal for the same function in different groups */
    const char **shown; /* by function: the name to show; NULL = function_name() */
    u32 names; /* length of `key` and `shown` */
};

/* A column: one item of the metrics, for one group. */
struct comparison_column {
    struct mspec_item item;
    u32 group;
    u32 column;
    bool noise; /* it shows the sampling error of a difference */
    u32 mark; /* if `noise`: the column that marks differences within the error */
};

struct comparison_columns {
    struct table *t;
    struct comparison_column *shown;
    u32 count;
};

/* Are there several groups, and does the user want to compare them? */
bool comparison_is_on(const struct shell *sh);

/*
 * Begin a comparison of all loaded groups, without rows. Close it by
 * comparison_close().
 */
void comparison_open(struct comparison *c, struct shell *sh, struct order order);
void comparison_close(struct comparison *c);

/* Call take() for each group, with a filter that selects the group. 0 or -errno. */
typedef int comparison_take(struct comparison *c, u32 group, void *context);
int comparison_each_group(struct comparison *c, comparison_take *take, void *context);

/* Make an entry that is not in the list of c; its values are all 0. */
struct entry comparison_scratch(struct comparison *c);

/* Match the functions of the groups, before any rows are added. 0 or -ENOMEM. */
int comparison_names(struct comparison *c);

/* Get the key of a function, which is equal for the same function in all groups. */
static inline const char *
comparison_key(const struct comparison *c, u32 func)
{
    return func < c->names && c->key[func] ? c->key[func]
                                           : function_name(c->sh->session, func);
}

static inline const char *
comparison_shown(const struct comparison *c, u32 func)
{
    return func < c->names && c->shown[func] ? c->shown[func]
                                             : function_name(c->sh->session, func);
}

/*
 * Add facts to the table: comparison_facts(), the list of groups;
 * comparison_noise_fact(), what the mark means.
 */
void comparison_facts(const struct comparison *c, struct table *t);
void comparison_noise_fact(const struct comparison *c, struct table *t);

/* Is the function's CPU time a sum of samples? */
static inline bool
comparison_sampled(u32 func)
{
    return func == FUNC_UNKNOWN || func >= FUNC_PSEUDO_COUNT;
}

/*
 * Get the value by which entries are sorted: the largest of any group or, if
 * differences or ratios are shown, the largest difference from the first group.
 */
int64_t comparison_rank(const struct comparison *c, const struct entry *e);

/*
 * Add the columns of the `metrics` setting for each group. Free them when all rows are
 * filled.
 */
void comparison_columns(const struct comparison *c, struct comparison_columns *cols,
                        struct table *t, enum mcols_view view);
void comparison_columns_free(struct comparison_columns *cols);

/* Fill the last row. */
void comparison_fill(const struct comparison *c, const struct comparison_columns *cols,
                     const struct entry *e);

/*
 * Add the rows of a view for one group, which the filter must select; not for views of
 * calls. The first entry of c is <Total>. 0 or -errno.
 */
int comparison_add_rows(struct comparison *c, u32 group, void *unused);

/* Sort entries, from `first` on, by c->order. */
void comparison_sort(struct comparison *c, u32 first);

/*
 * Get the entry for a function and a place, which is added if it is new. NULL: no
 * memory.
 */
struct entry *comparison_entry(struct comparison *c, u32 func, const char *place);

/*
 * Add the callers and callees of the shell's fragment, for one group; the filter must
 * select that group. 0 or -errno.
 */
int comparison_add_calls(struct comparison *c, u32 group);

/* Like comparison_add_calls(), around the given fragment. */
int comparison_add_around(struct comparison *c, u32 group, const u32 *fragment,
                          u32 length);

#endif
