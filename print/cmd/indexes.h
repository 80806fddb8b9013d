/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index objects and memory objects: the predefined ones of print/indexes.def, and those
 * that the user defines. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_INDEXES_H
#define ERTOOLS_PRINT_CMD_INDEXES_H

#include "print/cmd/shell.h"
#include "print/model/views/index.h"

enum index_kind {
    INDEX_EVENTS,
    INDEX_MEMORY,
};

struct index_type {
    const char *name;
    enum index_kind kind;
    struct index_def def;
    const char *title; /* of an object; %1, %2 are the values of its keys */
    const char *doc;
    char *own_name; /* of types that the user defined: name and def.key[0] */
    char *own_key;
};

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

void indexes_free(struct shell *sh);

#endif
