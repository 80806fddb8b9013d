/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/command.h"

#include <criterion/criterion.h>
#include <string.h>

static char error[1024];

static const char *
found(const char *name)
{
    const struct command *c = command_find(name, error, sizeof(error));

    return c ? c->name : "";
}

Test(command, every_row_by_its_name)
{
    for (u32 i = 0; i < ncommands; i++) {
        const struct command *c = command_find(commands[i].name, error, sizeof(error));

        cr_assert(c != NULL, "%s", commands[i].name);
        cr_assert_eq(c->run, commands[i].run);
        cr_assert(c->alias_of == NULL && c->help && c->args);
    }
}

Test(command, abbreviation)
{
    cr_assert_str_eq(found("func"), "functions");
    cr_assert_str_eq(found("CALLERS_c"), "callers-callees");
    cr_assert_str_eq(found("src"), "source");
    cr_assert_str_eq(found("sr"), "source");
    cr_assert_str_eq(found("exit"), "quit");
    cr_assert_str_eq(found("sort"), "sort");
    cr_assert_str_eq(found("metrics"), "metrics");
}

Test(command, ambiguous)
{
    cr_assert_str_eq(found("metric"), "");
    cr_assert(strstr(error, "metrics") && strstr(error, "metric_list"));
    cr_assert_str_eq(found(""), "");
}

Test(command, nearest)
{
    cr_assert_str_eq(found("fucntions"), "");
    cr_assert(strstr(error, "\"functions\""));
    cr_assert_str_eq(found("calltre3"), "");
    cr_assert(strstr(error, "\"calltree\""));
    cr_assert_str_eq(found("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"), "");
    cr_assert(strstr(error, "\"help\""));
}

Test(command, long_names_fit)
{
    char name[5000];

    memset(name, 's', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    cr_assert_str_eq(found(name), "");
    cr_assert(strlen(error) < 300);
    cr_assert_null(command_find("s", error, 30));
    cr_assert(strlen(error) < 30);
}

Test(command, arguments)
{
    static const struct {
        const char *args;
        int min, max, name;
    } want[] = {
        { "", 0, 0, 0 },      { "N", 1, 1, 0 },       { "F [N]", 1, 2, 1 },
        { "[UNIT]", 0, 1, 0 }, { "OLD NEW", 2, 2, 0 }, { "FILE", 1, 1, 0 },
    };

    for (u32 i = 0; i < ER_COUNT(want); i++) {
        struct command c = { .args = want[i].args };

        cr_assert_eq(command_min_args(&c), want[i].min);
        cr_assert_eq(command_max_args(&c), want[i].max);
        cr_assert_eq(command_needs_name(&c), want[i].name);
    }
}

Test(command, rows_are_sound)
{
    for (u32 i = 0; i < ncommands; i++) {
        const struct command *c = &commands[i];

        if (c->alias_of)
            continue;
        cr_assert(command_max_args(c) < 7, "the command line keeps 8 words");
        cr_assert(c->group < GROUP_COUNT);
        cr_assert(c->help[strlen(c->help) - 1] != '.', "%s", c->name);
        if (c->flags & CMD_RC_ONLY)
            cr_assert(c->flags & CMD_RC);
    }
}
