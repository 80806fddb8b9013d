/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variable at a data address. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_VARIABLE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_VARIABLE_H

#include "archive/objfile.h"
#include "print/model/session.h"

struct variable {
    u32 object;
    char *name; /* the caller's to free; by the session's name style */
    u64 offset; /* of the address in it */
};

/*
 * Get the variable at an address in an experiment. 0; -ENOENT: no variable is known
 * there; -ENOMEM.
 */
int variable_at(struct session *session, u32 experiment, u64 addr,
                struct variable *out);

/*
 * A moment of CLOCK_MONOTONIC; near: an object may have been loaded or unloaded that
 * many ns before or after it.
 */
struct variable_time {
    u64 mono;
    u64 near;
};

/*
 * Like variable_at(), but found.name is the name in the object file, not demangled.
 * *base: the address at which the variable begins in the process. when: consider only
 * objects that were loaded at that time; NULL: at any time.
 */
int variable_find(struct session *session, u32 experiment, u64 addr,
                  const struct variable_time *when, u32 *object,
                  struct objfile_variable *found, u64 *base);

/*
 * A variable's name by the session's name style, for the caller to free; NULL = no
 * memory.
 */
char *variable_name(const struct session *session, const char *linkage);

#endif
