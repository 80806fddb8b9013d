/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and results of calls, as text. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_CALLVALUE_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_CALLVALUE_H

#include "print/model/lookup/calls.h"

/*
 * The call as text: "PQexec(0x5581, "SELECT 1") = 0x7f10", for free(); NULL: no memory.
 * A value that cannot be decoded is left out. A call of unknown type has "(...)".
 */
char *callvalue_call(const struct calls *calls, const struct call_made *made);

/*
 * An argument (number from 1; 0 = the result) as text, for free(). fold: constants in
 * SQL become ?. NULL: no memory.
 */
char *callvalue_argument(const struct calls *calls, const struct call_made *made,
                         u32 argument, bool fold);

enum callvalue_kind {
    CALLVALUE_NONE,   /* not there, not read, secret, or more than one */
    CALLVALUE_NUMBER, /* what is after the point of a real one is cut off */
    CALLVALUE_TEXT,   /* the number is that of the text, for calls_text() */
};

struct callvalue_plain {
    enum callvalue_kind kind;
    int64_t number;
};

/*
 * The value of an argument (number from 1; 0 = the result) with a single value. Any
 * thread.
 */
struct callvalue_plain callvalue_plain(const struct calls *calls,
                                       const struct call_made *made, u32 argument);

/*
 * The number of the argument that the word means: a number; a name; "result"; or
 * "text", which is the first argument that is text or, if there is none, the result. -1
 * = there is none.
 */
int callvalue_find(const struct call_name *name, const char *word);

/* SQL with ? for its constants (see callfold.c), for free(); NULL: no memory. */
char *callfold_sql(const char *text, u32 len);

/* Does it begin as SQL does? */
bool callfold_is_sql(const char *text, u32 len);

#endif
