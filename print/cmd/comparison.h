/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is compared, while that is gathered: rows of all groups, met by name. For
 * compare.c and its like. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMPARISON_H
#define ERTOOLS_PRINT_CMD_COMPARISON_H

#include "print/cmd/list.h"
#include "print/load/hash.h"
#include "print/model/noise.h"

enum compare_view {
    COMPARE_FUNCTIONS,
    COMPARE_LINES,
    COMPARE_PCS,
    COMPARE_CALLS,
};

/* Of rows of calls, in this order. */
enum compare_role {
    ROLE_CALLER,
    ROLE_SELF,
    ROLE_CALLEE,
};

/* A function, a line, a program counter or a call, in all groups. */
struct entry {
    const char *name;
    const char *place; /* but of functions: what tells it from others of the name */
    bool sampled;      /* its CPU time is a sum of samples, not of accounts */
    enum compare_role role; /* of calls */
    struct values *excl;    /* by group */
    struct values *incl;
    struct values *attr; /* of calls */
};

struct comparison {
    struct shell *sh;
    enum compare_view view;
    u32 *group; /* their numbers */
    u32 ngroups;
    struct noise *noise;  /* by group */
    struct values *whole; /* by group: what percentages are of */
    struct entry *entry;  /* [0] is <Total>, but of calls */
    u32 count;
    struct hash hash;
    struct arena arena;
    struct order order;
};

/* The entry of that name and place, made when it is new. NULL: no memory. */
struct entry *comparison_entry(struct comparison *c, const char *name,
                               const char *place);

/*
 * Take the calls of one group around the shell's fragment, while a filter lets only
 * that group pass. 0 or -errno.
 */
int comparison_take_calls(struct comparison *c, u32 group);

#endif
