/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The findings of a session: what ran, where time went, what was waited for, what is
 * missing. A finding has a sentence, the numbers in it, and a command that shows more.
 * Only events that pass the filter count. Ordinary process context, one thread.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_FINDINGS_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_FINDINGS_H

#include <stdbool.h>

#include "print/model/session.h"

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
    FIND_TEXT,  /* text other than the following */
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
 * of each field: a text for NAME, PLACE and BY, a number for the others.
 */
struct finding {
    enum finding_kind kind;
    const char *command; /* of er_print, with arguments, as in a script; "" = none */
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

/*
 * finding_names: "run", "program", ... for programs; finding_titles: "Run", "Programs",
 * ... for people.
 */
extern const char *const finding_names[FINDING_KINDS];
extern const char *const finding_titles[FINDING_KINDS];

/*
 * Make the findings of a session. Names of functions are brief, whatever the session's
 * style. 0 and *out for findings_free(), or -errno.
 */
int findings_get(struct session *session, struct findings *out);
void findings_free(struct findings *findings);

#endif
