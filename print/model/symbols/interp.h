/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted code: each source file is an object, each code a function in it (see
 * functions_add_code()). An address in such an object is code_place() of a number that
 * the session gives to the code. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_INTERP_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_INTERP_H

#include "print/load/codes.h"
#include "print/base/hash.h"
#include "print/model/symbols/function.h"

/* A code object; one entry for all experiments that have it. */
struct interp_code {
    struct recorded_code row; /* a copy of that of the first such experiment */
    u32 object;
    u32 func; /* 0 = not made yet */
    bool script; /* Python code in the script that was started */
};

struct interp {
    struct interp_code *code;
    u32 count;
    u32 room;
    struct hash hash;
    struct pool *pool;
};

int interp_open(struct session *session);
void interp_close(struct interp *interp);

/*
 * Get the session's number of a code object of an experiment, added if it is new. 0 or
 * -ENOMEM.
 */
int interp_number(struct session *session, u32 experiment,
                  const struct recorded_code *row, u32 *number);

/*
 * Get the name of a code's function; the caller frees it; NULL = no memory. The name of
 * a Python function begins with the module's name, unless the function is in the script
 * that was started.
 */
char *interp_name(const struct session *session, const struct interp_code *code);

/* Is this object a source file of interpreted code? */
bool interp_is_object(const struct session *session, u32 object);

/*
 * The line and offset (bytes of bytecode) of an address in such an object. Line 0: not
 * known.
 */
u32 interp_line(const struct session *session, u64 vaddr);
u64 interp_offset(const struct session *session, u64 vaddr);

/* The source file of such an object, for file_path(); 0 = none. */
u32 interp_file(const struct session *session, u32 object);

/* "Python"; NULL if the function is not interpreted. */
const char *interp_language(const struct session *session, u32 func);

/* The highest line of a function's code, or `last` if that is higher. */
u32 interp_last_line(const struct session *session, u32 func, u32 last);

/*
 * Call line() for each line of a file that is known to belong to code, perhaps several
 * times, until it returns other than 0. Returns its last result; 0 if it was not
 * called.
 */
int interp_lines(const struct session *session, u32 file,
                 int (*line)(void *context, u32 line), void *context);

#endif
