/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interpreted code of an experiment, by the numbers in stack nodes with NODE_CODE.
 * The file is read once, when the first such node is found.
 */
#ifndef ERTOOLS_PRINT_LOAD_CODES_H
#define ERTOOLS_PRINT_LOAD_CODES_H

#include "print/load/record/records.h"
#include "share/code.h"
#include "share/types.h"

struct pool;

/* One code object. Its strings have a final zero; struct codes owns them. */
struct recorded_code {
    u32 id;
    u32 kind; /* enum er_code_kind */
    u32 line; /* number of its first line in the source */
    u32 table; /* enum er_code_table; CODE_NO_LINES if a part of `lines` is missing */
    u32 size;  /* bytes of the line table */
    const char *name; /* "" = not known */
    const char *file;
    unsigned char *lines; /* the line table, in the form of `table`; NULL = none */
};

struct codes {
    struct recorded_code *row; /* sorted by id */
    u32 count;
    struct pool *pool;
};

/* Read all codes. 0 or -ENOMEM; damage is reported in the source's problems. */
int codes_read(struct codes *out, const struct record_source *source);
void codes_free(struct codes *codes);

/* The code with that id; NULL if there is none. */
const struct recorded_code *codes_find(const struct codes *codes, u32 id);

#endif
