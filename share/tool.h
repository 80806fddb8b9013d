/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the command line of a program whose options are rows of an options.def, and
 * prints its --help. Ordinary process context; for main().
 */
#ifndef ERTOOLS_SHARE_TOOL_H
#define ERTOOLS_SHARE_TOOL_H

#include <stddef.h>

/* A program: TOOL(program, synopsis, help). */
struct tool {
    const char *name, *synopsis, *help;
};

/*
 * An option, from TOOL_OPTION(program, letter, argument, help, man); TOOL_WORD() is an
 * option without a letter.
 */
struct tool_option {
    const char *tool;
    char letter;
    const char *word; /* "calls" is -calls and --calls; "" = it is a letter */
    const char *argument, *help;
};

/*
 * The command line of a program. option[] is made from a .def file, and may have rows
 * of several programs.
 */
struct tool_line {
    const struct tool *tool;
    const struct tool_option *option;
    size_t options;
    int bad_usage;     /* the exit status after wrong options */
    int has_command;   /* 1 = the first word that is not an option begins a command */
};

/*
 * Handles one option. letter: the option's letter; of a word (-calls), its first
 * letter, which no other option of the program may have. value: NULL if the option has
 * none. May end the program.
 */
typedef void tool_take(void *context, int letter, const char *value);

/*
 * Read the options and call err_start() with the program's name. Words that are not
 * options are moved to the end of argv, unless the line has a command; returns the
 * index of the first of them. --help and -V end the program with 0; a wrong option ends
 * it with a sentence and the status bad_usage.
 */
int tool_read(const struct tool_line *line, int argc, char **argv, tool_take *take,
              void *context);

/* Print what --help does. */
void tool_help(const struct tool_line *line);

#endif
