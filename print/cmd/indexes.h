/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index objects and memory objects: the predefined ones of print/indexes.def, and those
 * that the user defines. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_INDEXES_H
#define ERTOOLS_PRINT_CMD_INDEXES_H

#include "print/cmd/indextype.h"
#include "print/cmd/shell.h"

/* The bodies of commands. They return 0, or 1 after a message. */
int indexes_show(struct shell *sh, enum index_kind kind, const char *command,
                 const char *name);
int indexes_list(struct shell *sh, enum index_kind kind, const char *command);
/*
 * Show the index objects of the predefined type Allocations: counter hits on data in
 * blocks and mappings, by the stack that allocated them (memory/allocations.c). `type`:
 * its name, for the title.
 */
int allocations_show(struct shell *sh, const char *command, const char *type);

int indexes_define(struct shell *sh, enum index_kind kind, const char *name,
                   const char *expression);

#endif
