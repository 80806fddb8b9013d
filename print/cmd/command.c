/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "print/model/absent.h"

const struct command commands[] = {
#define ER_COMMAND(function, name, args, group, flags, help) \
    { name, args, help, cmd_##function, flags, GROUP_##group, NULL },
#define ER_ALIAS(function, name) \
    { name, NULL, NULL, cmd_##function, 0, GROUP_OTHER, #function },
#include "print/commands.def"
#undef ER_COMMAND
#undef ER_ALIAS
};

const u32 ncommands = ER_COUNT(commands);

const char *const command_groups[GROUP_COUNT] = {
    [GROUP_FUNCTIONS] = "Functions",
    [GROUP_CALLS] = "Calls",
    [GROUP_CODE] = "Source and instructions",
    [GROUP_HEAP] = "Heap",
    [GROUP_SYNC] = "Synchronization",
    [GROUP_IO] = "Input and output",
    [GROUP_MPI] = "MPI",
    [GROUP_OMP] = "OpenMP",
    [GROUP_OBJECTS] = "Load objects",
    [GROUP_METRICS] = "Metrics",
    [GROUP_INDEX] = "Index objects and memory objects",
    [GROUP_FILTERS] = "Filters",
    [GROUP_LISTS] = "Lists",
    [GROUP_OUTPUT] = "Output",
    [GROUP_OTHER] = "Other",
};

int
command_min_args(const struct command *c)
{
    int n = 0;

    for (const char *p = c->args; *p; p++)
        n += (p == c->args || p[-1] == ' ') && *p != '[';
    return n;
}

int
command_max_args(const struct command *c)
{
    int n = 0;

    for (const char *p = c->args; *p; p++)
        n += p == c->args || p[-1] == ' ';
    return n;
}

bool
command_needs_name(const struct command *c)
{
    return c->args[0] == 'F' && (!c->args[1] || c->args[1] == ' ');
}

bool
command_is_setting(const struct command *c)
{
    switch (c->group) {
    case GROUP_OUTPUT:
        return true;
    case GROUP_FILTERS:
        return strcmp(c->name, "describe") != 0;
    case GROUP_METRICS:
        return !strstr(c->name, "list");
    case GROUP_CODE:
        return (c->flags & CMD_BARE) != 0;
    case GROUP_OBJECTS:
        return strcmp(c->name, "object_list") != 0;
    case GROUP_INDEX:
        return strstr(c->name, "define") != NULL;
    default:
        return false;
    }
}

static int
fold(char c)
{
    return c == '-' ? '_' : tolower((unsigned char)c);
}

/* The length of the common prefix of a typed name and a name of the table. */
static size_t
common(const char *typed, const char *name)
{
    size_t n = 0;

    while (typed[n] && fold(typed[n]) == fold(name[n]))
        n++;
    return n;
}

bool
command_matches(const struct command *c, const char *prefix)
{
    return prefix[common(prefix, c->name)] == '\0';
}

/* Get the command for which an alias stands, which has the same function. */
static const struct command *
target(const struct command *c)
{
    const struct command *t = commands;

    if (!c->alias_of)
        return c;
    while (t->alias_of || t->run != c->run)
        t++;
    return t;
}

enum { NAME_MAX_LEN = 32 };

/*
 * How many edits (insert, delete, replace, swap neighbours) it takes to make a into b.
 */
static unsigned
distance(const char *a, const char *b)
{
    unsigned row[3][NAME_MAX_LEN + 1];
    size_t na = strnlen(a, NAME_MAX_LEN), nb = strnlen(b, NAME_MAX_LEN);

    for (size_t j = 0; j <= nb; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned *cur = row[i % 3], *up = row[(i - 1) % 3], *up2 = row[(i + 1) % 3];

        cur[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            int differ = fold(a[i - 1]) != fold(b[j - 1]);
            unsigned best = up[j - 1] + (unsigned)differ;

            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = cur[j - 1] + 1 < best ? cur[j - 1] + 1 : best;
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]) && up2[j - 2] + 1 < best)
                best = up2[j - 2] + 1;
            cur[j] = best;
        }
    }
    return row[na % 3][nb];
}

static const struct command *
nearest(const char *name)
{
    const struct command *best = NULL;
    unsigned least = (unsigned)strnlen(name, NAME_MAX_LEN) / 2 + 1;

    for (u32 i = 0; i < ncommands; i++) {
        unsigned d = distance(name, commands[i].name);

        if (d < least) {
            least = d;
            best = &commands[i];
        }
    }
    return best;
}

/*
 * Get the command to propose for a command of another profiler, such as "indxobj
 * Threads" for `threads`. NULL = there is no such type.
 */
static const char *
index_command(const char *name)
{
    static const struct {
        const char *type, *command;
    } types[] = {
#define EVENTS "indxobj "
#define MEMORY "memobj "
#define ER_INDEX(type, kind, first, second, form, title, doc) \
    { #type, kind #type },
#include "print/indexes.def"
#undef ER_INDEX
#undef EVENTS
#undef MEMORY
    };

    for (u32 i = 0; i < ER_COUNT(types); i++)
        if (!strcasecmp(types[i].type, name))
            return types[i].command;
    return NULL;
}

static void
format_unknown(const char *name, char *error, size_t size)
{
    const char *why = absent_why(ABSENT_COMMAND, name, strlen(name));
    const char *index = index_command(name);
    const struct command *near = nearest(name);

    if (why)
        snprintf(error, size, "there is no command \"%.80s\": %s", name, why);
    else if (index)
        snprintf(error, size, "there is no command \"%.80s\"; \"%s\" shows these", name,
                 index);
    else if (near)
        snprintf(error, size, "there is no command \"%.80s\"; did you mean \"%s\"?",
                 name, near->name);
    else
        snprintf(error, size, "there is no command \"%.80s\"; \"help\" lists them",
                 name);
}

static void
format_ambiguous(const char *name, char *error, size_t size)
{
    int at = snprintf(error, size, "\"%.80s\" is short for", name);
    const char *sep = " ";

    for (u32 i = 0; i < ncommands && at < (int)size; i++) {
        if (!command_matches(&commands[i], name))
            continue;
        at += snprintf(error + at, size - (size_t)at, "%s%s", sep, commands[i].name);
        sep = ", ";
    }
}

const struct command *
command_find(const char *name, char *error, size_t size)
{
    const struct command *found = NULL;
    int several = 0;

    for (u32 i = 0; i < ncommands && name[0]; i++) {
        const struct command *c = &commands[i];

        if (!command_matches(c, name))
            continue;
        if (strlen(c->name) == strlen(name))
            return target(c);
        several |= found && target(found) != target(c);
        found = c;
    }
    if (found && !several)
        return target(found);
    if (several)
        format_ambiguous(name, error, size);
    else
        format_unknown(name, error, size);
    return NULL;
}
