/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions of a session. For the model's own use; see function.h. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FUNCTIONS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FUNCTIONS_H

#include "print/load/hash.h"
#include "print/load/pool.h"
#include "print/model/symbols/function.h"

struct function {
    u32 object;
    const char *linkage;
    u64 addr; /* of the lowest out-of-line copy; see functions_measure() */
    u64 size; /* of all of them */
    u32 decl_file; /* index in the object's archive */
    u32 line;
    bool inlined;
    bool copies; /* may have more than one symbol */
    const char *name[NAME_MANGLED]; /* demangled when asked for */
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

/* The function that an inlined call's declaration belongs to. */
u32 functions_of_decl(struct session *session, u32 object, u32 decl);

/* The function of interpreted code, which begins at that line; 0 = no memory. */
u32 functions_interpreted(struct session *session, u32 object, const char *name,
                          u32 line);

/*
 * Make the functions of all symbols of an object, so that each has its final addr and
 * size.
 */
void functions_complete(struct session *session, u32 object);

/* The function that stands for a hidden object, "<name>". */
u32 functions_hidden(struct session *session, u32 object);

/* Set addr and size of a function to their final values. */
void functions_measure(struct session *session, u32 function);

#endif
