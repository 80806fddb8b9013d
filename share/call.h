/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a function whose calls are recorded (collect -T): where its values
 * are, and which results are errors. calltype.h reads it from a row; offsets and
 * lengths of texts refer to that row. May be used in any context.
 */
#ifndef ERTOOLS_SHARE_CALL_H
#define ERTOOLS_SHARE_CALL_H

#include "share/types.h"

enum {
    CALL_VALUES = 24,     /* scalars that a row may have; each one in a struct counts */
    CALL_ARGUMENTS = 32,
    CALL_RANGES = 8,      /* ranges of results in ok() or bad(), at most */
    CALL_ROW_MAX = 1000,  /* bytes of a row */
    CALL_NAME_MAX = 200,
    CALL_STACK_WORDS = 64, /* words of arguments on the stack, at most */
    CALL_UNKNOWN_WORDS = 64, /* words copied if the type is not known */
    CALL_TEXT_MAX = 1000, /* bytes of a text that are kept, at most */
    CALL_VALUE_BYTES = 11, /* bytes of a value in a record, at most */
};

enum call_kind {
    CALL_SIGNED,
    CALL_UNSIGNED,
    CALL_CHAR,
    CALL_BOOL,
    CALL_ENUM,
    CALL_POINTER,
    CALL_STR,    /* text that ends with a zero */
    CALL_SQL,    /* text that is SQL */
    CALL_BUF,    /* bytes, as many as another argument says */
    CALL_SECRET, /* text that is never read */
    CALL_FLOAT,
    CALL_DOUBLE,
    CALL_LDOUBLE,
};

/*
 * Where a value is passed; for a value in memory, where the address of that memory is.
 */
enum call_area {
    CALL_IN_GENERAL, /* rdi, rsi, rdx, rcx, r8, r9; results: rax, rdx */
    CALL_IN_SSE,     /* xmm0 to xmm7, 16 bytes each */
    CALL_ON_STACK,   /* above the return address */
    CALL_IN_X87,     /* results: st0, st1, 16 bytes each */
};

enum call_value_flag {
    CALL_AFTER = 1,   /* read after the call */
    CALL_POINTED = 2, /* the place holds an address; the value is `at` bytes further */
    CALL_FIRST = 4,   /* in the record, a byte before it says if it was readable */
};

struct call_value {
    unsigned char kind;
    unsigned char size;     /* bytes */
    unsigned char argument; /* from 1; 0 = the result */
    unsigned char flags;
    unsigned char area;
    unsigned char length; /* CALL_BUF: which value has the number of bytes */
    unsigned short offset; /* bytes, in the area */
    unsigned short at;     /* CALL_POINTED: bytes from the address */
    unsigned short limit; /* bytes of a text that are kept */
    unsigned short list;  /* CALL_ENUM: where its names begin in the row, 0 = none */
};

/* A name in the row: its offset and length; len 0 = none. */
struct call_span {
    unsigned short at;
    unsigned short len;
};

/* How a call of a named function ended (call.end of records). */
enum er_call_end {
    CALL_RETURNED = 1,
    CALL_FAILED,    /* returned a result that the type says is an error */
    CALL_UNWOUND,   /* left by an exception, or by the end of its thread */
    CALL_JUMPED,    /* left by a jump; found at the thread's next call, or later */
    CALL_NOT_ENDED, /* still running when its thread or the program ended */
};

/* What the numbers in ok() and bad() mean. */
enum call_verdict {
    CALL_NO_VERDICT,
    CALL_OK_LIST,  /* results that are not listed are errors */
    CALL_BAD_LIST, /* results that are listed are errors */
};

struct call_type {
    u32 known;    /* 0 = only a name */
    u32 variadic;
    u32 values;   /* the first `before` ones are read before the call */
    u32 before;
    u32 arguments;
    u32 words;     /* words of the stack that hold arguments */
    u32 x87;       /* results in x87 registers: 0, 1 or 2 */
    u32 has_errno; /* an error's number is in errno */
    u32 verdict;   /* enum call_verdict */
    u32 ranges;
    struct {
        int64_t lo;
        int64_t hi;
    } range[CALL_RANGES];
    struct call_span name;
    struct call_span argument[CALL_ARGUMENTS];
    struct call_value value[CALL_VALUES];
};

#endif
