/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "config.h"
#include "print/cmd/shell.h"

struct help_view {
    struct table *t;
    u32 shown, name, args, group, help;
    size_t width; /* of the last column, 0 = as it comes */
};

enum { LINE = 80 };

/* How many bytes of a text go into a line of `width` characters; at least a word. */
static size_t
line_length(const char *text, size_t width)
{
    size_t n = strcspn(text, " ");

    if (strlen(text) <= width)
        return strlen(text);
    for (size_t more = n; text[more] && more <= width; n = more)
        if ((more += 1 + strcspn(text + more + 1, " ")) > width)
            break;
    return n;
}

static void
add_row(const struct help_view *v, const struct command *c, unsigned flags)
{
    const char *text = c->help;
    size_t n = v->width ? line_length(text, v->width) : strlen(text);

    table_row(v->t, flags);
    table_format(v->t, v->shown, "%s%s%s", c->name, *c->args ? " " : "", c->args);
    table_text(v->t, v->name, c->name);
    table_text(v->t, v->args, c->args);
    table_text(v->t, v->group, command_groups[c->group]);
    table_format(v->t, v->help, "%.*s", (int)n, text);
    while (*(text += n + (text[n] == ' '))) {
        n = line_length(text, v->width);
        table_row(v->t, 0);
        table_format(v->t, v->help, "%.*s", (int)n, text);
    }
}

/* Get how many of 80 characters remain next to the column of commands. */
static size_t
room_beside(const struct command *only)
{
    size_t widest = 0;

    for (u32 i = 0; i < ncommands; i++) {
        size_t n = strlen(commands[i].name);

        if (commands[i].alias_of || (only && &commands[i] != only))
            continue;
        n += *commands[i].args ? 1 + strlen(commands[i].args) : 0;
        widest = n > widest ? n : widest;
    }
    return LINE - 2 - widest;
}

static void
add_group(const struct help_view *v, enum command_group group)
{
    unsigned flags = group ? ROW_GAP : 0;

    for (u32 i = 0; i < ncommands; i++) {
        if (commands[i].alias_of || commands[i].group != group)
            continue;
        add_row(v, &commands[i], flags);
        flags = 0;
    }
}

int
cmd_help(struct shell *sh, int argc, char **argv)
{
    const struct command *c = NULL;
    char error[1024];
    struct table *t;
    struct help_view v;

    if (argc > 1) {
        c = command_find(argv[1], error, sizeof(error));
        if (!c)
            return shell_fail(sh, "%s", error);
    }
    t = table_new(argv[0], LAYOUT_COLUMNS);
    v = (struct help_view){
        .t = t,
        .shown = table_column(t, "shown", "Command", "", COL_TEXT, COL_TEXT_ONLY),
        .name = table_column(t, "name", "Command", "", COL_TEXT, COL_DATA_ONLY),
        .args = table_column(t, "arguments", "Arguments", "", COL_TEXT, COL_DATA_ONLY),
        .group = table_column(t, "group", "Group", "", COL_TEXT, COL_DATA_ONLY),
        .help = table_column(t, "help", "What it does", "", COL_TEXT, 0),
    };
    if (sh->export == export_text)
        v.width = room_beside(c);
    if (c)
        add_row(&v, c, 0);
    for (int g = 0; !c && g < GROUP_COUNT; g++)
        add_group(&v, (enum command_group)g);
    return shell_show(sh, t);
}

int
cmd_version(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_PLAIN);
    u32 program = table_column(t, "program", "Program", "", COL_TEXT, 0);
    u32 package = table_column(t, "package", "Package", "", COL_TEXT, 0);
    u32 version = table_column(t, "version", "Version", "", COL_TEXT, 0);

    (void)argc;
    table_row(t, 0);
    table_text(t, program, "er_print");
    table_text(t, package, PACKAGE_NAME);
    table_text(t, version, PACKAGE_VERSION);
    return shell_show(sh, t);
}
