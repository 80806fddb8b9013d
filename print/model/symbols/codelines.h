/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the line tables of interpreted code, in the interpreters' own formats (enum
 * er_code_table). A table may be damaged; nothing past its end is read.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_CODELINES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_CODELINES_H

#include <stdbool.h>

#include "print/load/codes.h"

/* A run of instructions that belong to one line. */
struct codelines {
    u64 start; /* indexes [start, end) of instructions, as the code's kind counts */
    u64 end;
    u32 line; /* 0 = the compiler made them, for no line */
    /* The state of reading the table. */
    const struct recorded_code *code;
    u32 at;      /* bytes of the table that were read */
    int64_t now; /* the current line */
};

void codelines_open(struct codelines *out, const struct recorded_code *code);

/* Read the next run; runs are in the order of the table. False at its end. */
bool codelines_next(struct codelines *lines);

/* The line of an instruction; if it is not known, the code's first line. */
u32 codelines_of(const struct recorded_code *code, u32 index);

#endif
