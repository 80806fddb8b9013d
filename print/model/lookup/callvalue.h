/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and results of calls, as text. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_CALLVALUE_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_CALLVALUE_H

#include "print/model/lookup/calls.h"

/*
 * The call as text: "PQexec(0x5581, "SELECT 1") = 0x7f10", for free(); NULL: no memory.
 * An argument that was not recorded is "?", such a result is left out. For a call of
 * unknown type, only the function and "(...)" are shown.
 */
char *callvalue_call(const struct calls *calls, const struct call_made *made);

/*
 * An argument (number from 1; 0 = the result) as text, for free(); "" if it was not
 * recorded. fold: constants in SQL become ?. NULL: no memory.
 */
char *callvalue_argument(const struct calls *calls, const struct call_made *made,
                         u32 argument, bool fold);

enum callvalue_kind {
    CALLVALUE_NONE,   /* not recorded, not readable, secret, or several values */
    CALLVALUE_NUMBER, /* a real number without its fraction; 0 if it is too large */
    CALLVALUE_TEXT,   /* the number is the text's id, for calls_text() */
};

struct callvalue_plain {
    enum callvalue_kind kind;
    int64_t number;
};

/*
 * The value of an argument (number from 1; 0 = the result), if it has a single value.
 * Any thread.
 */
struct callvalue_plain callvalue_plain(const struct calls *calls,
                                       const struct call_made *made, u32 argument);

/*
 * The number of the argument that a word means: a name; "result", which is 0; "text",
 * the first argument that is text or, if there is none, the result; or a number. -1 =
 * the function has no such argument or result.
 */
int callvalue_find(const struct call_name *name, const char *word);

/* SQL with ? for its constants (see callfold.c), for free(); NULL: no memory. */
char *callfold_sql(const char *text, u32 len);

/* Does a text begin with a word with which statements of SQL begin? */
bool callfold_is_sql(const char *text, u32 len);

#endif
