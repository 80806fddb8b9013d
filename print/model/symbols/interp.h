/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted code as functions: each source file is an object, each code a function in
 * it. An address in such an object is code_place() of a number that the session gives
 * to the code. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_INTERP_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_INTERP_H

#include "print/load/codes.h"
#include "print/load/hash.h"
#include "print/model/symbols/function.h"

/* A code; one entry for all experiments that have it. */
struct interp_code {
    struct noted_code row; /* of the first of these experiments */
    u32 object;
    u32 func; /* 0 = not asked for yet */
    bool script; /* Python's, in the file that was started */
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

/* Get the site for the place that a stack node of an experiment has. 0 or -ENOMEM. */
int interp_site(struct session *session, u32 experiment, u64 place, u32 *site);

/* Is this object a source file of interpreted code? */
bool interp_is_object(const struct session *session, u32 object);

/*
 * What is at an address in such an object. The function is FUNC_UNKNOWN if memory runs
 * out.
 */
u32 interp_function(struct session *session, u64 vaddr);
u32 interp_line(const struct session *session, u64 vaddr);
u64 interp_offset(const struct session *session, u64 vaddr); /* bytes of bytecode */

/* Make the functions of all codes of all experiments, as far as memory suffices. */
void interp_take_all(struct session *session);

/* The file of such an object, for file_path(); 0 = none. */
u32 interp_file(const struct session *session, u32 object);

/* "Python" or "Java"; NULL if the function is not interpreted. */
const char *interp_language(const struct session *session, u32 func);

/* The last line of a function's code; at least `last`. */
u32 interp_last_line(const struct session *session, u32 func, u32 last);

/* Call line() for each line of the file that is known to belong to code. */
int interp_lines(const struct session *session, u32 file,
                 int (*line)(void *context, u32 line), void *context);

/*
 * interp_is_eval(): is the site in the evaluation function, whose calls run interpreted
 * frames? interp_is_internal(): is it in any function of the interpreter itself, whose
 * work counts at interpreted functions?
 */
bool interp_is_eval(struct session *session, u32 site);
bool interp_is_internal(struct session *session, u32 site);

/*
 * Is the site in libc's code between _start and main? within: its caller is in that
 * code.
 */
bool interp_is_start(struct session *session, u32 site, bool within);

#endif
