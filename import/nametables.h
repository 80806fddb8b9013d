/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that names.c fills and nameobject.c writes. Ordinary process context. */
#ifndef ERTOOLS_IMPORT_NAMETABLES_H
#define ERTOOLS_IMPORT_NAMETABLES_H

#include "print/base/hash.h"
#include "share/types.h"

enum {
    NAMES_CODE = 0x1000, /* an object's lowest address */
    NAMES_EACH = 16,     /* bytes of a slot: the addresses of one place */
};

/* A set of rows with four numbers each. */
struct name_rows {
    u32 (*row)[4];
    u32 count, room;
    struct hash hash;
};

/* A load object: its places are `sorted` from index `from` up to `to`. */
struct name_object {
    u32 name;     /* text */
    u32 instance; /* the object's number in its process */
    u32 from, to;
    u32 slots;    /* how many of NAMES_EACH bytes: one for each place and function */
    char key[40];
};

struct names {
    const char **text;
    u32 ntexts, texts_room;
    struct hash texts;
    struct name_rows func;  /* object, name, file, line */
    struct name_rows place; /* caller, func, file, line */
    u32 *root;    /* by place - 1: the outermost function that it is inlined into */
    u32 roots_room;
    u32 *insn;    /* by place - 1: its text if it is an instruction, else 0 */
    u32 insns_room;
    u32 *sorted;  /* places by object, root and line, after names_settle() */
    u32 *slot;    /* by place - 1: its slot in its object */
    u32 process;
    u32 *by_name; /* by text: the number of its object, 0 = none */
    u32 by_names_room;
    struct name_object *object;
    u32 nobjects, objects_room;
};

/* The number of a row, which is added if it is new; 0: no memory. */
u32 nametables_number(struct name_rows *rows, const u32 row[4]);

/* The text of a place that is an instruction, else 0. */
static inline u32
names_insn(const struct names *n, u32 place)
{
    return place <= n->insns_room ? n->insn[place - 1] : 0;
}

/*
 * The function whose code contains the place: if the place is inlined, the outermost
 * one.
 */
static inline u32
names_root(const struct names *n, u32 place)
{
    return n->root[place - 1];
}

void nametables_free(struct names *names); /* NULL is allowed */

#endif
