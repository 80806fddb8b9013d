/* SPDX-License-Identifier: Apache-2.0 */
/* er_kernel: its command line. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/launch/elsewhere.h"
#include "collector/launch/status.h"
#include "collector/launch/value.h"
#include "collector/system/record.h"
#include "share/err.h"
#include "share/tool.h"
#include "share/types.h"

static const struct tool_option rows[] = {
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, letter, "", argument, help },
#include "collector/system/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static const struct tool tool = {
#define TOOL(program, synopsis, help) #program, synopsis, help
#define TOOL_OPTION(program, letter, argument, help, man)
#include "collector/system/options.def"
#undef TOOL
#undef TOOL_OPTION
};

/* Open /dev/null for closed standard streams, so that no file gets their numbers. */
static void
fill_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", O_RDWR | O_CLOEXEC);
}

static void
wrong(int option, const char *value, const char *should)
{
    err_die(STATUS_USAGE, "-%c: '%s' should be %s", option, value, should);
}

static void
parse_archive(struct request *r, const char *value)
{
    if (strcmp(value, "on") && strcmp(value, "off") && strcmp(value, "copy") &&
        strcmp(value, "src"))
        wrong('A', value, "on, off, copy or src");
    r->archive = strcmp(value, "off") ? value : NULL;
}

static void
parse_name(struct request *r, const char *value)
{
    size_t len = strlen(value);

    if (len < 4 || strcmp(value + len - 3, ".er") || value[len - 4] == '/')
        wrong('o', value, "a name that ends in .er");
    r->name = value;
}

static void
parse_option(void *context, int letter, const char *value)
{
    struct request *r = context;

    switch (letter) {
    case 'd':
        if (value_period(value, &r->end_ns) < 0 || !r->end_ns)
            wrong(letter, value, "a number of seconds");
        r->window = 1;
        break;
    case 'o':
        parse_name(r, value);
        break;
    case 'p':
        if (value_interval(value, &r->clock_ns) < 0 || !r->clock_ns)
            wrong(letter, value, "on, lo, hi, a number of ms (5, 2.5m) or us (500u)");
        break;
    case 'A':
        parse_archive(r, value);
        break;
    case 'C':
        if (r->ncomments == REQUEST_COMMENTS)
            err_die(STATUS_USAGE, "-C: at most %d comments", REQUEST_COMMENTS);
        r->comments[r->ncomments++] = value;
        break;
    case 'G':
        r->cgroup = value;
        break;
    }
}

int
main(int argc, char **argv)
{
    static const struct tool_line line = {
        .tool = &tool,
        .option = rows,
        .options = ER_COUNT(rows),
        .bad_usage = STATUS_USAGE,
        .has_command = 1,
    };
    struct request request = {
        .clock_ns = CLOCK_DEFAULT,
        .archive = "on",
        .kernel = 1,
        .follow = 1,
        .unnamed = "ktest.1.er",
    };
    int first;

    elsewhere_start(argv);
    fill_streams();
    first = tool_read(&line, argc, argv, parse_option, &request);
    if (argc == 1) {
        tool_help(&line);
        return STATUS_OK;
    }
    if (first < argc)
        request.target = argv + first;
    if (request.target && request.window)
        err_die(STATUS_USAGE, "-d and a command: one of them says when it ends");
    return record(&request);
}
