/* SPDX-License-Identifier: Apache-2.0 */
/*
 * er_archive: makes experiments self-contained.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "archive/calltypes.h"
#include "archive/gather.h"
#include "config.h"
#include "share/err.h"

enum status {
    STATUS_OK = 0,
    STATUS_USAGE = 1,
    STATUS_NO_EXPERIMENT = 2,  /* it cannot be opened */
    STATUS_NOT_EXPERIMENT = 3, /* there is no readable map.xml in it */
    STATUS_NOT_WRITABLE = 4,   /* archived files cannot be written anywhere */
    STATUS_FAILED = 5, /* no memory, an object cut short while read, not gathered */
    STATUS_WARNINGS = 6,       /* archived, but some objects are missing or changed */
    STATUS_NO_LIBRARY = 7,     /* of -calls: it cannot be read */
};

static bool quiet;
static bool gathers;
static bool prints_calls;
static char *target; /* of -gather */

static void
say(bool error, const char *sentence)
{
    if (error || !quiet)
        err_warn("%s", sentence);
}

/*
 * A file that becomes shorter while it is mapped ends the program: nothing that it has
 * begun has a name yet.
 */
static void
cut_short(int signal)
{
    static const char sentence[] =
        "er_archive: an object was cut short while it was read; try again\n";
    ssize_t unused = write(STDERR_FILENO, sentence, sizeof(sentence) - 1);

    (void)signal;
    (void)unused;
    _exit(STATUS_FAILED);
}

static const struct option_row {
    char letter;
    const char *word, *argument, *help;
} rows[] = {
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { letter, "", argument, help },
#define TOOL_WORD(program, word, help, man) { 0, #word, "", help },
#include "archive/options.def"
#undef TOOL
#undef TOOL_OPTION
#undef TOOL_WORD
};

static const struct {
    const char *synopsis, *help;
} tool = {
#define TOOL(program, synopsis, help) synopsis, help
#define TOOL_OPTION(program, letter, argument, help, man)
#define TOOL_WORD(program, word, help, man)
#include "archive/options.def"
#undef TOOL
#undef TOOL_OPTION
#undef TOOL_WORD
};

static void
print_usage(void)
{
    const char *line = tool.synopsis, *lead = "usage: ";

    for (size_t len; *line; line += len + (line[len] != '\0'), lead = "       ") {
        len = strcspn(line, "\n");
        printf("%ser_archive %.*s\n", lead, (int)len, line);
    }
    printf("%s\n\n", tool.help);
    for (size_t i = 0; i < ER_COUNT(rows); i++) {
        const struct option_row *row = &rows[i];

        printf("  -%.*s%s %-*s  %s\n", row->letter ? 1 : 0, &row->letter, row->word,
               16 - (int)strlen(row->word) - (row->letter != 0), row->argument,
               row->help);
    }
    printf("  -V %-15s  print the version\n", "");
}

/* What getopt asks for: ":A:Fno:qhV". */
static void
letters(char *text)
{
    *text++ = ':';
    for (size_t i = 0; i < ER_COUNT(rows); i++) {
        if (!rows[i].letter)
            continue;
        *text++ = rows[i].letter;
        if (*rows[i].argument)
            *text++ = ':';
    }
    *text++ = 'h';
    *text++ = 'V';
    *text = '\0';
}

static enum archive_mode
parse_mode(const char *text)
{
    static const char *const names[] = {
        [ARCHIVE_ON] = "on", [ARCHIVE_COPY] = "copy",
        [ARCHIVE_SRC] = "src", [ARCHIVE_OFF] = "off",
    };

    for (size_t i = 0; i < ER_COUNT(names); i++)
        if (strcmp(text, names[i]) == 0)
            return (enum archive_mode)i;
    err_die(STATUS_USAGE, "-A %s: must be on, copy, src or off", text);
}

/* getopt would take -gather for one letter each. */
static void
long_words(char **argv)
{
    static char gather[] = "--gather", calls[] = "--calls";

    for (; *argv && strcmp(*argv, "--"); argv++)
        if (!strcmp(*argv, "-gather"))
            *argv = gather;
        else if (!strcmp(*argv, "-calls"))
            *argv = calls;
}

static void
parse(int argc, char **argv, struct archive_options *options)
{
    static const struct option longs[] = {{"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {"gather", no_argument, NULL, 'g'},
                                          {"calls", no_argument, NULL, 'c'},
                                          {NULL, 0, NULL, 0}};
    char text[2 * ER_COUNT(rows) + 4];
    int c;

    long_words(argv);
    letters(text);
    opterr = 0;
    while ((c = getopt_long(argc, argv, text, longs, NULL)) != -1) {
        switch (c) {
        case 'A':
            options->mode = parse_mode(optarg);
            break;
        case 'F':
            options->force = true;
            break;
        case 'g':
            gathers = true;
            break;
        case 'c':
            prints_calls = true;
            break;
        case 'o':
            target = optarg;
            break;
        case 'n':
            options->founder_only = true;
            break;
        case 'q':
            quiet = true;
            break;
        case 'V':
            printf("er_archive (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
            exit(STATUS_OK);
        case 'h':
            print_usage();
            exit(STATUS_OK);
        case ':':
            err_die(STATUS_USAGE, "%s needs a value; er_archive --help tells more",
                    argv[optind - 1]);
        default:
            if (optopt)
                err_die(STATUS_USAGE, "-%c is no option; er_archive --help lists them",
                        optopt);
            err_die(STATUS_USAGE, "%s is no option; er_archive --help lists them",
                    argv[optind - 1]);
        }
    }
    if (gathers != (target != NULL))
        err_die(STATUS_USAGE, "-gather and -o NEW.er go together");
    if (gathers && (options->force || options->founder_only ||
                    options->mode != ARCHIVE_ON))
        err_die(STATUS_USAGE, "with -gather, there is no -A, -F or -n");
    if (prints_calls && (gathers || options->force || options->founder_only ||
                         options->mode != ARCHIVE_ON))
        err_die(STATUS_USAGE, "-calls goes with a library and functions alone");
    if (optind == argc)
        err_die(STATUS_USAGE, "no %s is named; er_archive --help tells more",
                prints_calls ? "library" : "experiment");
}

static enum status
status_of(int result)
{
    switch (result) {
    case -EINVAL:
        return STATUS_NOT_EXPERIMENT;
    case -EROFS:
        return STATUS_NOT_WRITABLE;
    case -ENOMEM:
        return STATUS_FAILED;
    }
    if (result < 0)
        return STATUS_NO_EXPERIMENT;
    return result > 0 ? STATUS_WARNINGS : STATUS_OK;
}

static void
gather(char **names, int count)
{
    int result = gather_run(names, count, target);

    if (result < 0)
        err_die(STATUS_FAILED, "er_cp, which gathers, cannot be run: %s",
                strerror(-result));
    if (result > 0)
        exit(STATUS_FAILED);
}

static enum status
print_calls(char **names, int count)
{
    int result = calltypes_write(names[0], names + 1, (u32)count - 1, stdout);

    if (result == 0 && fflush(stdout))
        result = -errno;
    if (result < 0)
        err_die(result == -ENOMEM ? STATUS_FAILED : STATUS_NO_LIBRARY, "%s: %s",
                names[0], result == -ENOEXEC ? "this is no program or library for "
                                               "x86-64"
                                             : strerror(-result));
    return STATUS_OK;
}

int
main(int argc, char **argv)
{
    struct archive_options options = {.say = say};
    enum status status, worst = STATUS_OK;

    err_start("er_archive", STDERR_FILENO);
    parse(argc, argv, &options);
    if (gathers) {
        gather(argv + optind, argc - optind);
        argv[--argc] = target;
        optind = argc++;
    }
    signal(SIGBUS, cut_short);
    if (prints_calls)
        return print_calls(argv + optind, argc - optind);
    umask(077); /* also where one is set that would shut ourselves out */
    for (int i = optind; i < argc; i++) {
        status = status_of(archive_experiment(argv[i], &options));
        if (worst == STATUS_OK || worst == STATUS_WARNINGS)
            worst = status != STATUS_OK ? status : worst;
    }
    return worst;
}
