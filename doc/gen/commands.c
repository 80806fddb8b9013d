/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the list of commands for the manual page of er_print, in mdoc. The page has it
 * between two lines of comment; a test compares.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum group {
    FUNCTIONS,
    CALLS,
    CODE,
    HEAP,
    SYNC,
    IO,
    MPI,
    OMP,
    OBJECTS,
    METRICS,
    INDEX,
    FILTERS,
    LISTS,
    OUTPUT,
    OTHER,
    GROUPS,
};

static const char *const headings[GROUPS] = {
    [FUNCTIONS] = "Functions",
    [CALLS] = "Calls",
    [CODE] = "Source and instructions",
    [HEAP] = "Heap",
    [SYNC] = "Synchronization",
    [IO] = "Input and output",
    [MPI] = "MPI",
    [OMP] = "OpenMP",
    [OBJECTS] = "Load objects",
    [METRICS] = "Metrics",
    [INDEX] = "Index objects and memory objects",
    [FILTERS] = "Filters",
    [LISTS] = "Lists",
    [OUTPUT] = "Output",
    [OTHER] = "Other",
};

/* The flags of cmd/command.h, as far as the page tells them. */
enum { CMD_RC = 1, CMD_RC_ONLY = 2, CMD_BARE = 0, CMD_REST = 0, CMD_EVENTS = 0 };

static const struct command {
    const char *name, *args, *help, *function;
    enum group group;
    int flags;
} commands[] = {
#define ER_COMMAND(function, name, args, group, flags, help) \
    { name, args, help, #function, group, flags },
#define ER_ALIAS(function, name) { name, NULL, NULL, #function, GROUPS, 0 },
#include "print/commands.def"
};

enum { COUNT = sizeof(commands) / sizeof(commands[0]) };

/* Arguments as mdoc: [N] -> Op Ar N. */
static void
put_arguments(const char *args)
{
    while (*args) {
        size_t n = strcspn(args, " ");
        int optional = *args == '[';

        printf(" %sAr %.*s", optional ? "Op " : "", (int)n - 2 * optional,
               args + optional);
        args += n + (args[n] == ' ');
    }
}

static void
put_command(const struct command *c)
{
    printf(".It Cm %s", c->name);
    put_arguments(c->args);
    putchar('\n');
    for (int i = 0; i < COUNT; i++)
        if (!commands[i].args && !strcmp(commands[i].function, c->function))
            printf(".It Cm %s\n", commands[i].name);
    printf("%c%s.\n", toupper((unsigned char)c->help[0]), c->help + 1);
    if (c->flags & CMD_RC_ONLY)
        puts("In rc files only.");
    else if (c->flags & CMD_RC)
        puts("Also in rc files.");
}

int
main(void)
{
    for (int g = 0; g < GROUPS; g++) {
        printf(".Ss %s\n.Bl -tag -width 4n\n", headings[g]);
        for (int i = 0; i < COUNT; i++)
            if (commands[i].args && commands[i].group == (enum group)g)
                put_command(&commands[i]);
        printf(".El\n");
    }
    return 0;
}
