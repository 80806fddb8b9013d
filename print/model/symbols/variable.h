/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variable at a data address. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_VARIABLE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_VARIABLE_H

#include "archive/object/objfile.h"
#include "print/model/session.h"

struct variable {
    u32 object;
    char *name; /* in the session's name style, for the caller to free */
    u64 offset; /* of the address in it, bytes */
};

/*
 * Get the variable at an address in an experiment. 0; -ENOENT: no variable is known
 * there; -ENOMEM.
 */
int variable_at(struct session *session, u32 experiment, u64 addr,
                struct variable *out);

/*
 * A moment (ns of CLOCK_MONOTONIC). near: if no object that was loaded then has the
 * variable, accept one that was loaded at most that many ns before or after.
 */
struct variable_time {
    u64 mono;
    u64 near;
};

/*
 * Like variable_at(), but found->name is the name in the object file, not demangled.
 * *base: the address at which the variable begins in the process. when: only objects
 * that were loaded at that time count; NULL: at any time.
 */
int variable_find(struct session *session, u32 experiment, u64 addr,
                  const struct variable_time *when, u32 *object,
                  struct objfile_variable *found, u64 *base);

/*
 * A variable's name in the session's name style, for the caller to free; NULL = no
 * memory.
 */
char *variable_name(const struct session *session, const char *linkage);

#endif
