/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolves the data addresses that counters have recorded: finds for each access the
 * data object (variable, block, file, ...). For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_DATA_DATAFIND_H
#define ERTOOLS_PRINT_MODEL_DATA_DATAFIND_H

#include "print/base/hash.h"
#include "print/model/session.h"

enum data_kind {
    DATA_VARIABLE,
    DATA_BLOCK,     /* of the heap, all that one stack allocated */
    DATA_MAPPING,   /* anonymous mappings, all that one stack mapped */
    DATA_FILE,      /* a mapped file */
    DATA_STATIC,    /* data of a load object, without a known variable */
    DATA_STACK,
    DATA_HEAP,      /* the heap (brk), without a known block */
    DATA_ANONYMOUS,
    DATA_OTHER,     /* a special mapping such as [vdso] */
    DATA_UNKNOWN,   /* no address, or nothing is known at the address */
};

/* A data object. */
struct data_thing {
    enum data_kind kind;
    u32 object;       /* of a variable: for object_get() */
    u32 node;         /* of blocks and mappings: the session's stack node */
    u64 size;         /* bytes: of a variable, or of the largest block; 0 = not known */
    const char *name; /* of a variable as in the object file; of a file, load object or
                         special mapping; else "" */
};

struct data_key;

/* All data objects that were found in a session. All 0 is empty. */
struct data_things {
    struct data_thing *row;
    u32 count;
    u32 room;
    struct data_key *key; /* by row: what identifies it */
    u32 key_room;
    struct hash hash;
    const char **name; /* by number: names of files and mappings */
    u32 names, name_room;
    struct pool *pool;
};

struct data_access {
    u64 ticks;
    u64 addr;
    u64 value;   /* the record's field `value` */
    u64 offset;  /* of addr in the variable, block or mapping; else addr itself */
    u32 counter; /* index in the experiment's counters */
    u32 thing;   /* row of data_things */
    bool stack;  /* the address is on the thread's own stack */
};

/* The accesses for which passes() is true are wanted. */
struct data_wish {
    bool (*passes)(void *context, const struct batch *batch, const u64 *row);
    void *context;
};

/*
 * Get the wanted accesses of experiment `index` (all if `wish` is NULL), sorted by
 * time, with their data objects, which are added to `things`. Accesses with the same
 * ticks, addr and stack have the same data object. 0, and the caller frees *out; or
 * -errno.
 */
int datafind(struct session *session, u32 index, const struct data_wish *wish,
             struct data_things *things, struct data_access **out, u32 *count);

void data_things_free(struct data_things *things);

#endif
