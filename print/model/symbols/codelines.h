/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the line tables of interpreted code, in the interpreters' own formats (enum
 * er_code_table). A table may be damaged; nothing behind its end is read.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_CODELINES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_CODELINES_H

#include <stdbool.h>

#include "print/load/codes.h"

/* A run: instructions that belong to one line. */
struct codelines {
    u64 start; /* indexes [start, end) of instructions, as the code's kind counts */
    u64 end;
    u32 line; /* 0 = made by the compiler, of no line */
    /* How far the table was read. */
    const struct noted_code *code;
    u32 at;
    int64_t now;
};

void codelines_open(struct codelines *out, const struct noted_code *code);

/* Go to the next run; runs are in order of their indexes. False at the end. */
bool codelines_next(struct codelines *lines);

/* The line of an instruction; if it is not known, the code's first line. */
u32 codelines_of(const struct noted_code *code, u32 index);

#endif
