/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter expression as a tree. Any context that may allocate. For the model's own
 * use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERPARSE_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERPARSE_H

#include <regex.h>

#include "print/model/filter/filter.h"
#include "print/model/filter/filtertoken.h"

enum filter_op {
    OP_NONE,
    OP_NUMBER, /* number */
    OP_TOKEN,  /* token */
    OP_FNAME,  /* pattern */
    OP_LABEL,  /* number, a: offset and length of its name in the text */
    OP_FILES,  /* token, pattern: does the file's name match? number 1: not? */
    OP_FILEIOVFD, /* pattern: the numbers of the files whose names match */
    OP_DNAME, /* pattern: data objects that match; a number: does the event's match? */
    OP_REGIONTIME, /* pattern: how long the instance of a matching region took */
    OP_CALLARG, /* number, a: an argument's name, as in LABEL; b: pattern + 1: does its
                   text match? 0 = its number; c: does it not match? */
    OP_LIST,   /* a: an element; b: the rest, 0 = none */
    /* One operand, a. */
    OP_NOT,
    OP_NEGATE,
    OP_COMPLEMENT,
    /* Two, a and b. */
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_ADD,
    OP_SUB,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_BIT_AND,
    OP_BIT_XOR,
    OP_BIT_OR,
    OP_AND,
    OP_OR,
    OP_IN, /* of lists, and the next two */
    OP_SOME_IN,
    OP_ORDERED_IN,
    OP_COND, /* a ? b : c */
};

enum filter_type {
    TYPE_NUMBER,
    TYPE_NUMBERS,   /* a list, only for IN and its like */
    TYPE_FUNCTIONS, /* the same; LEAF is a list of one */
};

/* A node of the tree; operands are indices. */
struct filter_node {
    enum filter_op op;
    enum filter_type type;
    u32 a, b, c;
    u32 pattern;
    enum filter_token token;
    int64_t number;
};

struct filter_expr {
    char *text;
    struct filter_node *node; /* [0] is none */
    u32 count;
    u32 room;
    u32 root;
    regex_t *pattern;
    u32 npatterns;
};

/*
 * 0 and *out for filterparse_free(); -EINVAL and *error if the text is no filter;
 * -ENOMEM. A name in the text is a word of filters, or a label of one of the session's
 * experiments.
 */
int filterparse(const struct session *session, const char *text,
                struct filter_expr **out, struct filter_error *error);
void filterparse_free(struct filter_expr *expr);

#endif
