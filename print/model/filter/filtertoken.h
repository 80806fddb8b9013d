/* SPDX-License-Identifier: Apache-2.0 */
/* The words of filters, from print/tokens.def. Any context: constant tables. */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERTOKEN_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERTOKEN_H

#include <stdbool.h>

#include "share/types.h"

enum filter_token {
#define FILTER_TOKEN(name, kind, source, doc) TOKEN_##name,
#include "print/tokens.def"
#undef FILTER_TOKEN
    TOKEN_COUNT,
};

enum token_kind {
    TOKEN_IS_THREAD,
    TOKEN_IS_TID,
    TOKEN_IS_PID,
    TOKEN_IS_PROGRAM,
    TOKEN_IS_PROGRAM_NUMBER,
    TOKEN_IS_EXPERIMENT,
    TOKEN_IS_GROUP,
    TOKEN_IS_TIME,
    TOKEN_IS_SAMPLE,
    TOKEN_IS_TICKS,
    TOKEN_IS_TOOK,
    TOKEN_IS_ASKED,
    TOKEN_IS_LEAF,
    TOKEN_IS_STACK,
    TOKEN_IS_FIELD,
    TOKEN_IS_DESCRIPTOR,
    TOKEN_IS_FILE_NAME,
    TOKEN_IS_FILE_SYSTEM,
    TOKEN_IS_NUMBERED,
    TOKEN_IS_SUM,
    TOKEN_IS_RANK,
    TOKEN_IS_CLASS,
    TOKEN_IS_JAVA_THREAD,
    TOKEN_IS_OMP_REGION,
    TOKEN_IS_OMP_TASK,
    TOKEN_IS_COMM,
    TOKEN_IS_ADDRESS,
    TOKEN_IS_DATA,
    TOKEN_IS_PC,
    TOKEN_IS_REGION,
    TOKEN_IS_REGION_NUMBER,
    TOKEN_IS_REGION_TIME,
    TOKEN_IS_CALL_NAME,
    TOKEN_IS_CALL_ARGUMENT,
    TOKEN_IS_CALL_END,
};

struct token_desc {
    const char *name;
    enum token_kind kind;
    const char *source; /* see tokens.def */
    const char *doc;
};

extern const struct token_desc filter_tokens[TOKEN_COUNT];

/* A field of a kind of record, as a token's source names it. */
struct token_source {
    char record[32];
    char field[32];
};
/* Get the next "record.field" of a source, and move *source past it. 0 or -ENOENT. */
int filter_token_source(const char **source, struct token_source *out);

/*
 * The token with that name of `len` bytes, case ignored; TOKEN_COUNT if there is none.
 */
enum filter_token filter_token_find(const char *name, u32 len);

/* Does a name mean something in filters: is it a token, an operator or a function? */
bool filter_word_is_reserved(const char *name, u32 len);

#endif
