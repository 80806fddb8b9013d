/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/options.h"

#include <stdlib.h>
#include <string.h>

#include "print/load/record/shrunk.h"
#include "share/types.h"

static const struct tool tools[] = {
#define TOOL(program, synopsis, help) { #program, synopsis, help },
#define TOOL_OPTION(program, letter, argument, help, man)
#include "manage/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static const struct tool_option options[] = {
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, letter, "", argument, help },
#include "manage/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static const struct tool *
find(const char *program)
{
    for (size_t i = 0; i < ER_COUNT(tools); i++)
        if (!strcmp(tools[i].name, program))
            return &tools[i];
    abort();
}

int
options_read(const char *program, int argc, char **argv, tool_take *take, void *context)
{
    const struct tool_line line = {
        .tool = find(program),
        .option = options,
        .options = ER_COUNT(options),
        .bad_usage = TOOL_USAGE,
    };

    shrunk_start();
    return tool_read(&line, argc, argv, take, context);
}
