/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions of a session. For the model's own use; see function.h. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FUNCTIONS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FUNCTIONS_H

#include "print/base/hash.h"
#include "print/base/pool.h"
#include "print/model/symbols/function.h"

struct function {
    u32 object;
    const char *linkage;
    u64 addr; /* of the lowest out-of-line copy so far; see functions_measure() */
    u64 size; /* bytes of all out-of-line copies so far */
    u32 decl_file; /* index in the object's archive; of interpreted code: the line */
    u32 line;      /* of the declaration, 0 = not known */
    bool inlined;  /* has inlined calls */
    bool copies;   /* may have more than one symbol */
    const char *name[NAME_MANGLED]; /* by enum name_style; NULL = not asked for yet */
};

struct functions {
    struct function *function;
    u32 count;
    u32 room;
    struct hash decls; /* (object, linkage name, declaration file) */
    struct pool *pool;
};

int functions_open(struct session *session);
void functions_close(struct functions *functions);

/*
 * The function of an inlined call's declaration, an index in the object's archive;
 * FUNC_UNKNOWN: there is no such declaration, or no memory.
 */
u32 functions_of_decl(struct session *session, u32 object, u32 decl);

/*
 * Make the functions of all code of all Python experiments, as far as memory suffices.
 */
void functions_add_code(struct session *session);

/*
 * Make the functions of all symbols of an object, so that each has its final addr and
 * size.
 */
void functions_complete(struct session *session, u32 object);

/* The function that stands for a hidden object, "<name>"; FUNC_UNKNOWN: no memory. */
u32 functions_hidden(struct session *session, u32 object);

/* Set addr and size of a function to their final values. */
void functions_measure(struct session *session, u32 function);

#endif
