/* SPDX-License-Identifier: Apache-2.0 */
/* A finding: a sentence and the numbers in it. See findings.h. */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_FINDING_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_FINDING_H

#include <stdbool.h>

#include "share/types.h"

/* The kinds of findings, in the order in which they are listed. */
enum finding_kind {
    FINDING_RUN,
    FINDING_PROGRAM,
    FINDING_TIME,
    FINDING_FUNCTION,
    FINDING_LOCK,
    FINDING_FILE,
    FINDING_CALL,
    FINDING_HEAP,
    FINDING_MPI,
    FINDING_OMP,
    FINDING_COST,
    FINDING_MISSING,
    FINDING_KINDS,
};

/* What a part of a sentence says. */
enum finding_field {
    FIND_TEXT,  /* other text */
    FIND_NAME,  /* what the finding is about: a function, lock, file or program */
    FIND_PLACE, /* where it is in the source */
    FIND_BY,    /* who calls, holds or allocates it */
    FIND_TIME,  /* ns */
    FIND_SHARE, /* percent */
    FIND_COUNT,
    FIND_BYTES,
    FIND_FIELDS,
};

struct finding_part {
    enum finding_field field;
    const char *text;
};

/*
 * The sentence is made of parts. text[] and number[] have the value of the first part
 * of each field: a text for NAME, PLACE and BY; a number for TIME, SHARE, COUNT and
 * BYTES.
 */
struct finding {
    enum finding_kind kind;
    const char *command; /* a line of a script of er_print; "" = none */
    char *sentence;
    struct finding_part *part;
    u32 parts;
    u32 part_room;
    const char *text[FIND_FIELDS]; /* NULL = the sentence has no such part */
    double number[FIND_FIELDS];
    bool has[FIND_FIELDS];
};

struct pool;

struct findings {
    struct finding *row;
    u32 count;
    u32 room;
    struct pool *memory;
    bool no_memory;
};

#endif
