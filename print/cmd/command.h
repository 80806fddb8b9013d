/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of commands, made from commands.def, and how a typed name finds its row.
 * Ordinary process context; all of it is constant data.
 */
#ifndef ERTOOLS_PRINT_CMD_COMMAND_H
#define ERTOOLS_PRINT_CMD_COMMAND_H

#include <stdbool.h>

#include "share/types.h"

struct shell;

enum command_flag {
    CMD_RC = 1,      /* allowed in an rc file */
    CMD_RC_ONLY = 2, /* allowed only in an rc file */
    CMD_BARE = 4,    /* works without an experiment */
    CMD_REST = 8,    /* its last argument is the rest of the line, with quotes */
    CMD_EVENTS = 16, /* shows the events that pass the filter */
};

enum command_group {
    GROUP_FUNCTIONS,
    GROUP_CALLS,
    GROUP_CODE,
    GROUP_HEAP,
    GROUP_SYNC,
    GROUP_IO,
    GROUP_MPI,
    GROUP_OMP,
    GROUP_OBJECTS,
    GROUP_METRICS,
    GROUP_INDEX,
    GROUP_FILTERS,
    GROUP_LISTS,
    GROUP_OUTPUT,
    GROUP_OTHER,
    GROUP_COUNT,
};

/*
 * A command's body. argv[0] is the name as the table has it; the number of arguments
 * has been checked. Returns 0, or 1 after a message to the user.
 */
typedef int command_fn(struct shell *sh, int argc, char **argv);

struct command {
    const char *name;
    const char *args;
    const char *help;
    command_fn *run;
    unsigned flags;
    enum command_group group;
    const char *alias_of; /* NULL: not an alias */
};

/* cmd_functions(), ...: in the file of its family, or made by cmd/actions.c. */
#define ER_COMMAND(function, name, args, group, flags, help) command_fn cmd_##function;
#define ER_ALIAS(function, name)
#include "print/commands.def"
#undef ER_COMMAND
#undef ER_ALIAS

extern const struct command commands[];
extern const u32 ncommands;
extern const char *const command_groups[GROUP_COUNT]; /* headings */

/* The smallest and the largest number of arguments that a command takes. */
int command_min_args(const struct command *c);
int command_max_args(const struct command *c);

/* Is the command's first argument a function's name, which may contain blanks? */
bool command_needs_name(const struct command *c);

/*
 * Find the command by name: case does not matter, `-` and `_` are equal, and a prefix
 * that only one command has is enough. NULL if there is none, or several; then `error`
 * (size bytes) gets a sentence with the candidates, or with the most similar name.
 */
const struct command *command_find(const char *name, char *error, size_t size);

/* Does the command only change what later commands show? */
bool command_is_setting(const struct command *c);

/* Can the typed `prefix` be completed to this command? */
bool command_matches(const struct command *c, const char *prefix);

#endif
