/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that implement share/calltype.h have in common. Any context; no
 * allocation.
 */
#ifndef ERTOOLS_SHARE_CALLREAD_H
#define ERTOOLS_SHARE_CALLREAD_H

#include "share/call.h"

enum {
    CALL_PARTS = 16, /* scalars in one type, at most */
};

/*
 * A scalar in a type that was read: its kind, size, and offset in the type. limit and
 * list are those of struct call_value.
 */
struct call_part {
    unsigned char kind;
    unsigned char size;
    unsigned short at;
    unsigned short limit;
    unsigned short list;
    struct call_span length; /* CALL_BUF: names the argument with its length */
};

struct call_shape {
    u32 parts; /* 0 = void */
    u32 size;  /* bytes */
    u32 align; /* bytes */
    u32 out;     /* 1 = out(): the argument points to the value, read after the call */
    u32 complex; /* 1 = one of C's complex types */
    u32 has_errno; /* 1 = the type fd or errno: an error's number is in errno */
    struct call_part part[CALL_PARTS];
};

struct call_reader {
    const char *row;
    u32 at;  /* offset of what is read next */
    u32 len; /* bytes of the row */
    const char *wrong; /* the first error, NULL = none */
    struct call_type *type;
    u32 general; /* general registers used so far */
    u32 sse;     /* SSE registers used so far */
    u32 stack;   /* bytes of the stack used so far */
    struct call_span length[CALL_VALUES]; /* by value: `length` of its call_part */
};

/* The types in a row. */
struct call_row {
    struct call_shape argument[CALL_ARGUMENTS];
    struct call_shape result;
};

/* Set r->wrong, unless there was an error before. Returns 0. */
int callread_fail(struct call_reader *r, const char *why);

/* Skip blanks and return the next character, without consuming it; 0 at the end. */
char callread_peek(struct call_reader *r);

/*
 * If the next character is c, consume it and return 1. Else, and after any error,
 * return 0.
 */
int callread_accept(struct call_reader *r, char c);

/* Like callread_accept(), but any other character is the error `why`. */
int callread_expect(struct call_reader *r, char c, const char *why);

/* Skip blanks and read a word; len 0 = there is none. */
struct call_span callread_word(struct call_reader *r);
int callread_is(const struct call_reader *r, struct call_span word, const char *text);
int callread_is_digit(char c);
int callread_is_blank(char c);
/*
 * Read a number, decimal or 0x, with an optional minus. If there is none, or it does
 * not fit in 64 bits, sets r->wrong and returns 0. Numbers from 2^63 on become
 * negative.
 */
int64_t callread_number(struct call_reader *r);

/* Read a type into s, which is all zero before. depth: how many structs contain it. */
void callread_type(struct call_reader *r, struct call_shape *s, u32 depth);

/* Find the place of each value of the row, and store it in r->type. */
void callplace_all(struct call_reader *r, const struct call_row *row);

#endif
