/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a thread in a profile of the Firefox Profiler: stacks, their frames,
 * functions, symbols, load objects and strings. A row refers to rows of other tables by
 * number. Rows are added when a sample needs them. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_FOXTABLES_H
#define ERTOOLS_PRINT_OUT_FOXTABLES_H

#include "print/base/hash.h"
#include "print/out/stackset.h"

/* Kinds of code: the numbers of the profile's categories. */
enum foxcategory {
    FOX_USER,
    FOX_LIBRARY,
    FOX_KERNEL,
    FOX_WAITING,
    FOX_OTHER,
    FOX_CATEGORIES,
};

/*
 * A table: rows of `width` numbers each. The first `keys` numbers of a row identify it.
 */
struct foxrows {
    struct hash hash;
    u32 *cell;
    u32 count, room;
    u32 width, keys;
};

struct foxtables {
    const struct stackset *set;
    struct foxrows *libs; /* of the whole profile */
    struct foxrows stacks, frames, funcs, symbols, resources;
    struct foxrows known; /* the stacks of the session's nodes in these tables */
    struct hash string_hash;
    const char **string;
    u32 nstrings, string_room;
    u32 *chain; /* used by foxtables_stack(): nodes without a stack yet */
    u32 chain_room;
};

/*
 * Start empty tables. libs: the list of load objects, made by foxtables_libs(), that
 * all threads of a profile share.
 */
void foxtables_open(struct foxtables *t, const struct stackset *set,
                    struct foxrows *libs);
void foxtables_close(struct foxtables *t);

void foxtables_libs(struct foxrows *libs);
void foxtables_free(struct foxrows *rows);

/*
 * Get the row of a node's stack, which is added if it is new; -1 = it has no frames.
 * kernel: the thread was in the kernel, called from the leaf. 0 or -ENOMEM.
 */
int foxtables_stack(struct foxtables *t, u32 node, bool kernel, int64_t *stack);

/* Get the number of a string, which must live as long as the tables. 0 or -ENOMEM. */
int foxtables_string(struct foxtables *t, const char *text, u32 *number);

/* Write all tables as members of an object, each with a comma before it. */
void foxtables_write(const struct foxtables *t, FILE *f);

/* Write the profile's list of load objects, without its name. */
void foxtables_write_libs(struct session *session, const struct foxrows *libs, FILE *f);

#endif
