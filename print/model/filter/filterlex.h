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
    /* An operator of one character has that character's value, which is below these. */
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

/* The state of the lexer: the current word. Its texts point into the expression. */
struct filter_lexer {
    const char *text; /* the expression */
    const char *at; /* the text after the word */
    int what;       /* enum lex, or a character */
    const char *word;
    u32 len; /* bytes of the word; a string's are between its quotation marks */
    int64_t number; /* the value of LEX_NUMBER */
    struct filter_error *error;
};

/*
 * Read the first word. This function and filterlex_next() return 0, or -EINVAL and
 * *error.
 */
int filterlex_begin(struct filter_lexer *lexer, const char *text,
                    struct filter_error *error);

/* Read the next word. */
int filterlex_next(struct filter_lexer *lexer);

/*
 * Set the lexer's error to the message, with the column of `at` in the expression.
 * Returns -EINVAL.
 */
int filterlex_fail(const struct filter_lexer *lexer, const char *at,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
