/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names that records `named` give to ids in other records: classes, threads and
 * objects of a Java VM. Read once, when first asked for.
 */
#ifndef ERTOOLS_PRINT_LOAD_NAMES_H
#define ERTOOLS_PRINT_LOAD_NAMES_H

#include "print/load/record/records.h"
#include "share/types.h"

struct pool;

struct recorded_name {
    u64 id;
    u32 kind;  /* enum er_named_kind */
    u32 order; /* index in the order of reading; an id may have several names */
    const char *text;
};

struct nametable {
    struct recorded_name *row; /* sorted by kind, id and order */
    u32 count;
    struct pool *pool;
};

/* Read all names. 0 or -ENOMEM; damage is reported in the source's problems. */
int names_read(struct nametable *out, const struct record_source *source);
void names_free(struct nametable *names);

/*
 * The name of an id; any, if it has several. NULL: it has none. kind: enum
 * er_named_kind.
 */
const char *names_find(const struct nametable *names, u32 kind, u64 id);

#endif
