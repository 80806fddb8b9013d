/* SPDX-License-Identifier: Apache-2.0 */
/* er_export: writes what er_print shows in the formats of other programs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "print/cmd/rcfile.h"
#include "print/cmd/run.h"
#include "print/base/progress.h"
#include "print/load/record/shrunk.h"
#include "print/model/session/sessions.h"
#include "print/out/out.h"
#include "share/outfile.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* an experiment or an option; nothing, or not all, was written */
    EXIT_USAGE = 2,  /* nothing was done */
    EXIT_NONE = 3,   /* no experiment could be read */
    EXIT_LOST = 4,   /* output could not be written */
};

static const char usage[] =
    "usage: er_export FORMAT [-OPTION [ARGUMENT]]... EXPERIMENT... [-o FILE]\n"
    "       er_export -list\n"
    "       er_export -V | --help\n";

static const struct option {
    const char *name, *args, *help;
} options[] = {
#define OUT_OPTION(name, args, help) { #name, args, help },
#define OUT_COMMAND(name, args, help) { #name, args, help },
#include "print/out/options.def"
#undef OUT_OPTION
#undef OUT_COMMAND
};

/* Which of them er_print's commands are. */
static const char *const commands_taken[] = {
#define OUT_OPTION(name, args, help)
#define OUT_COMMAND(name, args, help) #name,
#include "print/out/options.def"
#undef OUT_OPTION
#undef OUT_COMMAND
};

/* The command line, sorted out. */
struct line {
    const struct out_format *format;
    const char *file; /* NULL = standard output */
    const char *test, *revision; /* NULL = not given */
    char **command;   /* two words each: a name and its argument */
    u32 ncommands;
    char **experiment;
    u32 nexperiments;
};

static int
complain(const char *word, const char *what)
{
    fprintf(stderr, "er_export: %s %s; er_export --help tells more\n", word, what);
    return 1;
}

static void
list_formats(FILE *f)
{
    for (u32 i = 0; i < out_nformats; i++)
        fprintf(f, "%-11s %-17s %s\n", out_formats[i].name, out_formats[i].suffix,
                out_formats[i].doc);
}

static void
help(void)
{
    printf("%s\nFormats, and how their files' names end:\n", usage);
    list_formats(stdout);
    puts("\nOptions:");
    for (u32 i = 0; i < ER_COUNT(options); i++)
        printf("-%-14s %-5s %s\n", options[i].name, options[i].args, options[i].help);
}

static const char *
find_command(const char *name)
{
    for (u32 i = 0; i < ER_COUNT(commands_taken); i++)
        if (!strcmp(commands_taken[i], name))
            return commands_taken[i];
    return NULL;
}

/*
 * Where the argument of one of er_export's own options is stored; NULL = it is another
 * option.
 */
static const char **
find_argument(struct line *l, const char *name)
{
    return !strcmp(name, "o")          ? &l->file
           : !strcmp(name, "test")     ? &l->test
           : !strcmp(name, "revision") ? &l->revision
                                       : NULL;
}

/* Handle the option argv[*at]. Returns 0; or 1 after a message, if it is no option. */
static int
parse_option(struct line *l, int *at, char **argv)
{
    char *name = argv[*at] + 1 + (argv[*at][1] == '-'), *value = argv[*at + 1];
    const char **argument = find_argument(l, name);

    if (!argument && !find_command(name))
        return complain(argv[*at], "is no option");
    if (!value)
        return complain(argv[*at], "needs an argument");
    *at += 2;
    if (argument) {
        *argument = argument == &l->file && !strcmp(value, "-") ? NULL : value;
        return 0;
    }
    l->command = mem_grow(l->command, l->ncommands, 2 * sizeof(*l->command));
    l->command[2 * l->ncommands] = name;
    l->command[2 * l->ncommands++ + 1] = value;
    return 0;
}

static int
sort_out(struct line *l, char **argv)
{
    l->format = out_find(argv[1]);
    if (!l->format)
        return complain(argv[1], "is no format");
    for (int i = 2; argv[i];) {
        if (argv[i][0] == '-' && argv[i][1]) {
            if (parse_option(l, &i, argv))
                return 1;
            continue;
        }
        l->experiment = mem_grow(l->experiment, l->nexperiments, sizeof(char *));
        l->experiment[l->nexperiments++] = argv[i++];
    }
    return l->nexperiments ? 0 : complain(l->format->name, "needs an experiment");
}

static void
warning(void *context, const char *sentence)
{
    shell_note(context, "%s", sentence);
}

/* Open a file to write to. 0; or an exit status, after a message. */
static int
open_output(struct shell *sh, const struct line *l, const char *file, FILE **f)
{
    int fd;

    *f = stdout;
    if (l->format->flags & OUT_DIRECTORY) {
        *f = NULL;
        if (file && access(file, F_OK) < 0)
            return EXIT_DONE;
        shell_fail(sh, file ? "%s makes a directory, and %s is there"
                            : "%s makes a directory: name it with -o",
                   l->format->name, file);
        return EXIT_USAGE;
    }
    if (!file && !(l->format->flags & OUT_TEXT) && isatty(STDOUT_FILENO)) {
        shell_fail(sh, "%s is no text for a terminal: name a file with -o",
                   l->format->name);
        return EXIT_USAGE;
    }
    if (!file)
        return EXIT_DONE;
    fd = outfile_open(file, O_TRUNC);
    *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (*f)
        return EXIT_DONE;
    shell_fail(sh, "%s cannot be written: %s", file,
               outfile_error(fd < 0 ? fd : -errno));
    return EXIT_LOST;
}

/* Write one file. only: the number of the experiment to write; 0 = all. */
static int
write_output(struct shell *sh, const struct line *l, const char *file, u32 only)
{
    struct out out = { .session = sh->session, .metric = shell_metric(sh),
                       .warning = warning, .context = sh, .only = only, .path = file,
                       .test = l->test, .revision = l->revision };
    int status = open_output(sh, l, file, &out.f), err;
    bool bad;

    if (status)
        return status;
    progress_turn(true);
    err = l->format->write(&out);
    progress_turn(false);
    bad = out.f && (ferror(out.f) || fflush(out.f));
    if (out.f && out.f != stdout && fclose(out.f))
        bad = true;
    shell_report_problems(sh);
    if (err)
        shell_fail_errno(sh, err, "the export is not complete");
    if (bad && errno != EPIPE) {
        shell_fail(sh, "output could not be written: %s", strerror(errno));
        return EXIT_LOST;
    }
    return sh->failed ? EXIT_FAILED : EXIT_DONE;
}

/*
 * Write a file for each experiment into a directory, which is made if it does not
 * exist.
 */
static int
write_split(struct shell *sh, const struct line *l)
{
    int status = EXIT_DONE;

    if (!(l->format->flags & OUT_SPLIT)) {
        shell_fail(sh, "%s is one file, and cannot be split into %s", l->format->name,
                   l->file);
        return EXIT_USAGE;
    }
    if (mkdir(l->file, 0777) < 0 && errno != EEXIST) {
        shell_fail(sh, "%s cannot be made: %s", l->file, strerror(errno));
        return EXIT_LOST;
    }
    for (u32 i = 0; i < sh->session->nexperiments && status == EXIT_DONE; i++) {
        const char *base = experiment_base(sh->session->experiment[i]);
        size_t len = strlen(base);
        char *path;

        if (len > 3 && !strcmp(base + len - 3, ".er"))
            len -= 3;
        if (asprintf(&path, "%s%.*s%s", l->file, (int)len, base, l->format->suffix) < 0)
            return EXIT_FAILED;
        status = write_output(sh, l, path, i + 1);
        free(path);
    }
    return status;
}

static int
export(struct shell *sh, const struct line *l)
{
    rcfile_read_all(sh);
    progress_turn(true);
    for (u32 i = 0; i < l->nexperiments; i++)
        shell_add(sh, l->experiment[i]);
    progress_turn(false);
    if (!sh->session->nexperiments)
        return EXIT_NONE;
    for (u32 i = 0; i < l->ncommands; i++) {
        char *words[3] = { l->command[2 * i], l->command[2 * i + 1], NULL };

        if (run_words(sh, 2, words))
            return EXIT_FAILED;
    }
    if (l->format->flags & OUT_MACHINE)
        sessions_view(sh->session, false, true);
    if (l->file && *l->file && l->file[strlen(l->file) - 1] == '/')
        return write_split(sh, l);
    return write_output(sh, l, l->file, 0);
}

int
main(int argc, char **argv)
{
    struct line line = { 0 };
    struct shell sh;
    int status;

    if (argc < 2) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
        printf("er_export (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return EXIT_DONE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "-list")) {
        if (argv[1][1] == 'l')
            list_formats(stdout);
        else
            help();
        return EXIT_DONE;
    }
    shrunk_start();
    if (shell_start(&sh)) {
        fputs("er_export: no memory is left\n", stderr);
        return EXIT_FAILED;
    }
    sh.program = "er_export";
    status = sort_out(&line, argv) ? EXIT_USAGE : export(&sh, &line);
    if (shell_end(&sh) && !status)
        status = EXIT_LOST;
    free(line.command);
    free(line.experiment);
    return status;
}
