/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a filter expression. Any context. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERLEX_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERLEX_H

#include "print/model/filter/filter.h"

enum lex {
    LEX_END,
    LEX_NUMBER,
    LEX_NAME,
    LEX_STRING,
    /* Operators; those of one character stand for themselves. */
    LEX_EQ = 256,
    LEX_NE,
    LEX_LE,
    LEX_GE,
    LEX_SHL,
    LEX_SHR,
    LEX_AND,
    LEX_OR,
    LEX_IN,
    LEX_SOME_IN,
    LEX_ORDERED_IN,
};

/* The present word; texts point into the expression. */
struct filter_lexer {
    const char *text;
    const char *at; /* behind the word */
    int what;       /* enum lex, or a character */
    const char *word;
    u32 len; /* of a string: between its quotation marks */
    int64_t number;
    struct filter_error *error;
};

/* Read the first word. This and the next return 0, or -EINVAL with *error. */
int filterlex_begin(struct filter_lexer *lexer, const char *text,
                    struct filter_error *error);

/* Read the next word. */
int filterlex_next(struct filter_lexer *lexer);

/* Set *error, with its place in the text; returns -EINVAL. */
int filterlex_fail(const struct filter_lexer *lexer, const char *at,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
