/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "print/load/shrunk.h"
#include "share/err.h"
#include "share/types.h"

static const struct tool {
    const char *name, *synopsis, *help;
} tools[] = {
#define TOOL(program, synopsis, help) { #program, synopsis, help },
#define TOOL_OPTION(program, letter, argument, help, man)
#include "manage/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static const struct tool_option {
    const char *program, *argument, *help;
    char letter;
} options[] = {
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, argument, help, letter },
#include "manage/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static void
print_usage(const struct tool *tool)
{
    const char *line = tool->synopsis, *lead = "usage: ";
    size_t len;

    for (; *line; line += len + (line[len] != '\0'), lead = "       ") {
        len = strcspn(line, "\n");
        printf("%s%s %.*s\n", lead, tool->name, (int)len, line);
    }
    printf("%s\n\n", tool->help);
    for (size_t i = 0; i < ER_COUNT(options); i++)
        if (!strcmp(options[i].program, tool->name))
            printf("  -%c %-10s %s\n", options[i].letter, options[i].argument,
                   options[i].help);
    printf("  -%c %-10s %s\n", 'V', "", "print the version");
}

static const struct tool *
find(const char *program)
{
    for (size_t i = 0; i < ER_COUNT(tools); i++)
        if (!strcmp(tools[i].name, program))
            return &tools[i];
    abort();
}

/* What getopt asks for: ":fn:hV". */
static void
letters(const char *program, char *text)
{
    *text++ = ':';
    for (size_t i = 0; i < ER_COUNT(options); i++) {
        if (strcmp(options[i].program, program))
            continue;
        *text++ = options[i].letter;
        if (*options[i].argument)
            *text++ = ':';
    }
    *text++ = 'h';
    *text++ = 'V';
    *text = '\0';
}

int
options_read(const char *program, int argc, char **argv, options_take *take,
             void *context)
{
    static const struct option longs[] = {{"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
    char text[2 * ER_COUNT(options) + 4];
    int c;

    err_start(program, STDERR_FILENO);
    shrunk_start();
    letters(program, text);
    opterr = 0;
    while ((c = getopt_long(argc, argv, text, longs, NULL)) != -1) {
        switch (c) {
        case 'h':
            print_usage(find(program));
            exit(TOOL_DONE);
        case 'V':
            printf("%s (%s) %s\n", program, PACKAGE_NAME, PACKAGE_VERSION);
            exit(TOOL_DONE);
        case ':':
            err_die(TOOL_USAGE, "%s needs a value; %s --help tells more",
                    argv[optind - 1], program);
        case '?':
            if (optopt)
                err_die(TOOL_USAGE, "-%c is no option; %s --help lists them", optopt,
                        program);
            err_die(TOOL_USAGE, "%s is no option; %s --help lists them",
                    argv[optind - 1], program);
        default:
            take(context, c, optarg);
        }
    }
    return optind;
}
