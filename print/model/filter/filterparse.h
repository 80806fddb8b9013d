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
    OP_NUMBER, /* `number` */
    OP_TOKEN,  /* `token` */
    OP_FNAME,  /* the functions whose names match `pattern` */
    OP_LABEL,  /* in a label's time? number, a: offset and length of its name in text */
    OP_FILES,  /* does the text for `token` match `pattern`? number = 1: does it not? */
    OP_FILEIOVFD, /* the numbers of the files whose names match `pattern` */
    OP_DNAME, /* numbers of data objects that match `pattern`; if its type is
                 TYPE_NUMBER: does the event's data object match? */
    OP_REGIONTIME, /* how long the instance of a region that matches `pattern` took */
    OP_CALLARG, /* number, a: an argument's name as in OP_LABEL, a = 0: any; b: 0 = its
                   number, else does its text match pattern b - 1? c = 1: not? */
    OP_LIST,   /* a: an element; b: list of the rest, 0 = none */
    /* Operators with one operand, a. */
    OP_NOT,
    OP_NEGATE,
    OP_COMPLEMENT,
    /* Operators with two operands, a and b. */
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
    OP_IN, /* this and the next two are of lists */
    OP_SOME_IN,
    OP_ORDERED_IN,
    OP_COND, /* a ? b : c */
};

enum filter_type {
    TYPE_NUMBER,
    TYPE_NUMBERS,   /* a list of numbers, only for IN, SOME IN and ORDERED IN */
    TYPE_FUNCTIONS, /* a list of functions, only for these; LEAF is a list of one */
};

/*
 * A node of the tree. a, b and c are indices of nodes, unless enum filter_op says
 * other.
 */
struct filter_node {
    enum filter_op op;
    enum filter_type type;
    u32 a, b, c;
    u32 pattern; /* index in filter_expr.pattern */
    enum filter_token token;
    int64_t number;
};

struct filter_expr {
    char *text; /* the expression */
    struct filter_node *node; /* [0] is OP_NONE */
    u32 count;
    u32 room;
    u32 root; /* index in `node` */
    regex_t *pattern;
    u32 npatterns;
};

/*
 * Parse a text. A name in it is a word of filters, an MPI function, or a label of one
 * of the session's experiments. 0 and *out for filterparse_free(); -EINVAL and *error:
 * the text is not a filter; or -ENOMEM.
 */
int filterparse(const struct session *session, const char *text,
                struct filter_expr **out, struct filter_error *error);
void filterparse_free(struct filter_expr *expr);

#endif
