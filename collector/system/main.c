/* SPDX-License-Identifier: Apache-2.0 */
/* er_kernel: its command line. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/launch/status.h"
#include "collector/launch/value.h"
#include "collector/system/record.h"
#include "config.h"
#include "share/err.h"
#include "share/types.h"

static const struct {
    char letter;
    const char *argument, *help;
} rows[] = {
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) { letter, argument, help },
#include "collector/system/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static const struct {
    const char *synopsis, *help;
} tool = {
#define TOOL(program, synopsis, help) synopsis, help
#define TOOL_OPTION(program, letter, argument, help, man)
#include "collector/system/options.def"
#undef TOOL
#undef TOOL_OPTION
};

static void
print_usage(void)
{
    printf("usage: er_kernel %s\n%s\n\n", tool.synopsis, tool.help);
    for (size_t i = 0; i < ER_COUNT(rows); i++)
        printf("  -%c %-16s  %s\n", rows[i].letter, rows[i].argument, rows[i].help);
    printf("  -V %-16s  print the version\n", "");
    printf("  --help               print this list\n");
}

/* What getopt asks for. */
static void
letters(char *text)
{
    *text++ = '+';
    *text++ = ':';
    for (size_t i = 0; i < ER_COUNT(rows); i++) {
        *text++ = rows[i].letter;
        *text++ = ':';
    }
    memcpy(text, "hV", sizeof("hV"));
}

/* A standard stream that is closed: none of our files may get its number. */
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
take_archive(struct request *r, const char *value)
{
    if (strcmp(value, "on") && strcmp(value, "off") && strcmp(value, "copy") &&
        strcmp(value, "src"))
        wrong('A', value, "on, off, copy or src");
    r->archive = strcmp(value, "off") ? value : NULL;
}

static void
take_name(struct request *r, const char *value)
{
    size_t len = strlen(value);

    if (len < 4 || strcmp(value + len - 3, ".er") || value[len - 4] == '/')
        wrong('o', value, "a name that ends in .er");
    r->name = value;
}

static void
take(struct request *r, int option, const char *value)
{
    switch (option) {
    case 'd':
        if (value_period(value, &r->end_ns) < 0 || !r->end_ns)
            wrong(option, value, "a number of seconds");
        r->window = 1;
        break;
    case 'o':
        take_name(r, value);
        break;
    case 'p':
        if (value_interval(value, &r->clock_ns) < 0 || !r->clock_ns)
            wrong(option, value, "on, lo, hi, a number of ms (5, 2.5m) or us (500u)");
        break;
    case 'A':
        take_archive(r, value);
        break;
    case 'C':
        if (r->ncomments == REQUEST_COMMENTS)
            err_die(STATUS_USAGE, "-C: at most %d comments", REQUEST_COMMENTS);
        r->comments[r->ncomments++] = value;
        break;
    case 'G':
        r->cgroup = value;
        break;
    case 'V':
        r->version = 1;
        break;
    case 'h':
        r->help = 1;
        break;
    case ':':
        err_die(STATUS_USAGE, "-%c needs a value (--help)", optopt);
    default:
        if (optopt)
            err_die(STATUS_USAGE, "-%c is no option (--help)", optopt);
        err_die(STATUS_USAGE, "there is no such long option (--help)");
    }
}

int
main(int argc, char **argv)
{
    static const struct option words[] = {
        { "help", no_argument, NULL, 'h' },
        { "version", no_argument, NULL, 'V' },
        { 0 },
    };
    struct request request = {
        .clock_ns = CLOCK_DEFAULT,
        .archive = "on",
        .kernel = 1,
        .follow = 1,
        .unnamed = "ktest.1.er",
    };
    char known[2 * ER_COUNT(rows) + sizeof("+:hV")];
    int option;

    fill_streams();
    letters(known);
    err_start("er_kernel", STDERR_FILENO);
    opterr = 0;
    while ((option = getopt_long(argc, argv, known, words, NULL)) != -1)
        take(&request, option, optarg);
    if (request.help || argc == 1) {
        print_usage();
        return STATUS_OK;
    }
    if (request.version) {
        printf("er_kernel (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return STATUS_OK;
    }
    if (optind < argc)
        request.target = argv + optind;
    if (request.target && request.window)
        err_die(STATUS_USAGE, "-d and a command: one of them says when it ends");
    return record(&request);
}
