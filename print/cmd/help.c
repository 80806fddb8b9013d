/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

struct help_view {
    struct table *t;
    u32 shown, name, args, group, help;
};

static void
add_row(const struct help_view *v, const struct command *c, unsigned flags)
{
    table_row(v->t, flags);
    table_format(v->t, v->shown, "%s%s%s", c->name, *c->args ? " " : "", c->args);
    table_text(v->t, v->name, c->name);
    table_text(v->t, v->args, c->args);
    table_text(v->t, v->group, command_groups[c->group]);
    table_text(v->t, v->help, c->help);
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
    if (c)
        add_row(&v, c, 0);
    for (int g = 0; !c && g < GROUP_COUNT; g++)
        add_group(&v, (enum command_group)g);
    return shell_show(sh, t);
}
