/* SPDX-License-Identifier: Apache-2.0 */
/*
 * er_archive: makes experiments self-contained.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "archive/calltypes.h"
#include "archive/gather.h"
#include "share/err.h"
#include "share/tool.h"

enum status {
    STATUS_OK = 0,
    STATUS_USAGE = 1,
    STATUS_NO_EXPERIMENT = 2,  /* it cannot be opened */
    STATUS_NOT_EXPERIMENT = 3, /* there is no readable map.xml in it */
    STATUS_NOT_WRITABLE = 4,   /* archived files cannot be written anywhere */
    STATUS_FAILED = 5, /* no memory, an object cut short while read, or er_cp failed */
    STATUS_WARNINGS = 6,       /* archived, but some objects are missing or changed */
    STATUS_NO_LIBRARY = 7,     /* with -calls: the library cannot be read */
};

static bool quiet;
static bool gathers;
static bool prints_calls;
static char *target; /* with -gather: the experiment to make */

static void
notify(bool error, const char *sentence)
{
    if (error || !quiet)
        err_warn("%s", sentence);
}

/*
 * SIGBUS: a file that is mapped became shorter. The program may end at once, since the
 * files that it is writing have no names yet.
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

static const struct tool_option rows[] = {
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, letter, "", argument, help },
#define TOOL_WORD(program, word, help, man) { #program, 0, #word, "", help },
#include "archive/options.def"
#undef TOOL
#undef TOOL_OPTION
#undef TOOL_WORD
};

static const struct tool tool = {
#define TOOL(program, synopsis, help) #program, synopsis, help
#define TOOL_OPTION(program, letter, argument, help, man)
#define TOOL_WORD(program, word, help, man)
#include "archive/options.def"
#undef TOOL
#undef TOOL_OPTION
#undef TOOL_WORD
};

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

static void
parse_option(void *context, int letter, const char *value)
{
    struct archive_options *options = context;

    switch (letter) {
    case 'A':
        options->mode = parse_mode(value);
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
        target = (char *)(uintptr_t)value; /* it points into argv */
        break;
    case 'n':
        options->founder_only = true;
        break;
    case 'q':
        quiet = true;
        break;
    }
}

/* Returns the index in argv of the first word that is not an option. */
static int
parse(int argc, char **argv, struct archive_options *options)
{
    static const struct tool_line line = {
        .tool = &tool,
        .option = rows,
        .options = ER_COUNT(rows),
        .bad_usage = STATUS_USAGE,
    };
    int first = tool_read(&line, argc, argv, parse_option, options);

    if (gathers != (target != NULL))
        err_die(STATUS_USAGE, "-gather and -o NEW.er go together");
    if (gathers && (options->force || options->founder_only ||
                    options->mode != ARCHIVE_ON))
        err_die(STATUS_USAGE, "with -gather, there is no -A, -F or -n");
    if (prints_calls && (gathers || options->force || options->founder_only ||
                         options->mode != ARCHIVE_ON))
        err_die(STATUS_USAGE, "-calls goes with a library and functions alone");
    if (first == argc)
        err_die(STATUS_USAGE, "no %s is named; er_archive --help tells more",
                prints_calls ? "library" : "experiment");
    return first;
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
    struct archive_options options = {.notify = notify};
    enum status status, worst = STATUS_OK;
    int first = parse(argc, argv, &options);

    if (gathers) {
        gather(argv + first, argc - first);
        first = argc - 1;
        argv[first] = target;
    }
    signal(SIGBUS, cut_short);
    if (prints_calls)
        return print_calls(argv + first, argc - first);
    umask(077); /* new files are for their owner, whatever umask was inherited */
    for (int i = first; i < argc; i++) {
        status = status_of(archive_experiment(argv[i], &options));
        if (worst == STATUS_OK || worst == STATUS_WARNINGS)
            worst = status != STATUS_OK ? status : worst;
    }
    return worst;
}
