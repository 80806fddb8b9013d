/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "print/cmd/interactive.h"
#include "print/cmd/rcfile.h"
#include "print/cmd/run.h"
#include "print/base/progress.h"
#include "print/load/record/shrunk.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* a command, or one of the experiments */
    EXIT_USAGE = 2,  /* nothing was done */
    EXIT_NONE = 3,   /* no experiment could be read */
    EXIT_LOST = 4,   /* output could not be written */
};

static const char usage[] =
    "usage: er_print [-COMMAND [ARGUMENT...]]... EXPERIMENT...\n"
    "       er_print -script FILE EXPERIMENT...\n"
    "       er_print EXPERIMENT...     the summary; at a terminal, commands then\n"
    "       er_print - EXPERIMENT...   commands from standard input\n"
    "       er_print -V | --help\n";

/* The command line, sorted out. */
struct line {
    struct {
        int n;
        char **v; /* words of argv; v[0] without its dash */
    } *command;
    u32 ncommands;
    char **experiment;
    u32 nexperiments;
};

static bool
is_option(const char *word)
{
    return word && word[0] == '-' && word[1];
}

/*
 * Can a word be an optional argument? Not if it is an option or an experiment, or if a
 * file with that name exists; but a picture (.svg) may exist, and be in another
 * directory.
 */
static bool
is_optional(const char *word)
{
    size_t n = word ? strlen(word) : 0;

    if (n > 4 && !strcmp(word + n - 4, ".svg"))
        return true;
    return n && !is_option(word) && strcmp(word, "-") && !strchr(word, '/') &&
           !(n > 3 && !strcmp(word + n - 3, ".er")) &&
           !(n > 4 && !strcmp(word + n - 4, ".erg")) && access(word, F_OK);
}

/*
 * Take the command at *at with its arguments. Returns 0; or 1 after a message, if it is
 * none.
 */
static int
parse_command(struct line *l, int *at, char **argv)
{
    int first = *at, n = 1, min, max;
    const struct command *c;
    char error[1024];

    argv[first] += strspn(argv[first], "-");
    c = command_find(argv[first], error, sizeof(error));
    if (!c) {
        fprintf(stderr, "er_print: %s\n", error);
        return 1;
    }
    min = command_min_args(c);
    max = command_max_args(c);
    while (n <= max && argv[first + n] && (n <= min || is_optional(argv[first + n])))
        n++;
    l->command = mem_grow(l->command, l->ncommands, sizeof(*l->command));
    l->command[l->ncommands].n = n;
    l->command[l->ncommands++].v = argv + first;
    *at = first + n;
    return 0;
}

/* Take `-`: commands are then read from standard input, between the other commands. */
static void
add_stdin(struct line *l, int *at, char **argv)
{
    l->command = mem_grow(l->command, l->ncommands, sizeof(*l->command));
    l->command[l->ncommands].n = 0;
    l->command[l->ncommands++].v = argv + *at;
    ++*at;
}

static bool
is_experiment(const char *word)
{
    size_t n = strlen(word);

    while (n > 1 && word[n - 1] == '/')
        n--;
    return (n > 3 && !strncmp(word + n - 3, ".er", 3)) ||
           (n > 4 && !strncmp(word + n - 4, ".erg", 4));
}

static int refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int
refuse(const char *format, ...)
{
    va_list ap;

    fputs("er_print: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    putc('\n', stderr);
    return 1;
}

/*
 * If no experiment is named, but a command's last argument is one, say that the command
 * lacks an argument.
 */
static int
check_arguments(const struct line *l)
{
    for (u32 i = 0; i < l->ncommands && !l->nexperiments; i++) {
        char **v = l->command[i].v;
        int last = l->command[i].n - 1;

        if (last < 1 || !is_experiment(v[last]) || strstr(v[0], "exp") ||
            strstr(v[0], "file"))
            continue;
        return refuse("-%s wants an argument before the experiment, such as "
                      "-%s main %s", v[0], v[0], v[last]);
    }
    return 0;
}

/*
 * Report a setting that stands behind the last command that shows something: it has no
 * effect.
 */
static int
check_order(const struct line *l)
{
    const struct command *late = NULL, *shows = NULL;
    char error[1024];

    for (u32 i = 0; i < l->ncommands; i++) {
        const struct command *c =
            l->command[i].n ? command_find(l->command[i].v[0], error, sizeof(error))
                            : NULL;

        if (c && command_is_setting(c)) {
            late = shows && !late ? c : late;
            continue;
        }
        shows = c ? c : shows;
        late = NULL;
    }
    if (!late || !strcmp(late->name, "outfile") || !strcmp(late->name, "appendfile"))
        return 0;
    return refuse("-%s is for the commands behind it, and there is none: it belongs "
                  "before -%s", late->name, shows->name);
}

/*
 * If there is no such file, but the word is a command ("functions" for "-functions"),
 * say so. Returns 1 then.
 */
static int
check_experiment(const char *word)
{
    char error[1024];
    const struct command *c;

    if (access(word, F_OK) == 0 || strchr(word, '/') || is_experiment(word))
        return 0;
    c = command_find(word, error, sizeof(error));
    if (!c || strlen(c->name) != strlen(word))
        return 0;
    return refuse("%s is no file; as a command it has a dash: -%s", word, word);
}

static int
sort_out(struct line *l, char **argv)
{
    for (int i = 1; argv[i];) {
        if (is_option(argv[i])) {
            if (parse_command(l, &i, argv))
                return 1;
        } else if (!strcmp(argv[i], "-")) {
            add_stdin(l, &i, argv);
        } else {
            if (check_experiment(argv[i]))
                return 1;
            l->experiment =
                mem_grow(l->experiment, l->nexperiments, sizeof(*l->experiment));
            l->experiment[l->nexperiments++] = argv[i++];
        }
    }
    return check_arguments(l) || check_order(l);
}

/* Does standard input look as if the user wanted commands to be read from it? */
static bool
input_waits(void)
{
    struct stat st;
    int bytes = 0;

    if (fstat(STDIN_FILENO, &st) < 0)
        return false;
    if (S_ISREG(st.st_mode))
        return lseek(STDIN_FILENO, 0, SEEK_CUR) < st.st_size;
    return S_ISFIFO(st.st_mode) && !ioctl(STDIN_FILENO, FIONREAD, &bytes) && bytes > 0;
}

/* Does the command line have only settings? Then they apply to the summary. */
static bool
only_sets(const struct line *l)
{
    char error[1024];

    for (u32 i = 0; i < l->ncommands; i++) {
        const struct command *c =
            l->command[i].n ? command_find(l->command[i].v[0], error, sizeof(error))
                            : NULL;

        if (!c || !command_is_setting(c))
            return false;
    }
    return true;
}

/*
 * There are no commands: let the user type them, at a terminal; else show the summary.
 */
static void
run_none(struct shell *sh)
{
    char command[] = "summary", *words[] = { command, NULL };

    if (sh->interactive) {
        interactive_run(sh);
        return;
    }
    run_words(sh, 1, words);
    if (input_waits())
        shell_note(sh, "commands from standard input are read where \"-\" stands for "
                       "them");
}

static void
run_commands(struct shell *sh, const struct line *l)
{
    for (u32 i = 0; i < l->ncommands && !sh->quit && !sh->stop; i++) {
        char *words[8] = { NULL };

        if (!l->command[i].n) {
            run_file(sh, "-");
            continue;
        }
        memcpy(words, l->command[i].v, (size_t)l->command[i].n * sizeof(*words));
        run_words(sh, l->command[i].n, words);
    }
    if (only_sets(l) && !sh->quit && !sh->stop && !sh->failed)
        run_none(sh);
}

/*
 * Must the command run before experiments are loaded? en_desc decides which are loaded;
 * the first command, if it is `printmode json`, how it is reported that one cannot be.
 */
static bool
is_early(const struct line *l, u32 i)
{
    char error[1024];
    const struct command *c = command_find(l->command[i].v[0], error, sizeof(error));

    return c && (!strcmp(c->name, "en_desc") ||
                 (!i && !strcmp(c->name, "printmode") &&
                  !strcasecmp(l->command[i].v[1], "json")));
}

/*
 * Run the settings first, wherever they stand: they apply to the loading of
 * experiments, too.
 */
static int
run_settings(struct shell *sh, const struct line *l)
{
    int bad = 0;

    for (u32 i = 0; i < l->ncommands; i++) {
        char *words[] = { NULL, NULL, NULL };

        if (l->command[i].n != 2 || !is_early(l, i))
            continue;
        memcpy(words, l->command[i].v, 2 * sizeof(*words));
        bad |= run_words(sh, 2, words);
    }
    return bad;
}

static int
print(struct shell *sh, const struct line *l)
{
    sh->interactive =
        !l->ncommands && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    shell_use_terminal(sh);
    rcfile_read_all(sh);
    if (run_settings(sh, l))
        return EXIT_USAGE;
    progress_turn(true);
    for (u32 i = 0; i < l->nexperiments; i++)
        shell_add(sh, l->experiment[i]);
    progress_turn(false);
    if (l->nexperiments && !sh->session->nexperiments)
        return EXIT_NONE;
    run_commands(sh, l);
    return sh->failed ? EXIT_FAILED : EXIT_DONE;
}

static void
help(struct shell *sh)
{
    char command[] = "help", *words[] = { command, NULL };

    printf("%s\n", usage);
    run_words(sh, 1, words);
}

int
main(int argc, char **argv)
{
    struct line line = { 0 };
    struct shell sh;
    int status = EXIT_DONE;

    if (argc < 2) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
        printf("er_print (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return EXIT_DONE;
    }
    shrunk_start();
    if (shell_start(&sh)) {
        fputs("er_print: no memory is left\n", stderr);
        return EXIT_FAILED;
    }
    if (!strcmp(argv[1], "--help") || (!strcmp(argv[1], "-h") && argc == 2))
        help(&sh);
    else if (sort_out(&line, argv))
        status = EXIT_USAGE;
    else
        status = print(&sh, &line);
    if (shell_end(&sh)) {
        fputs("er_print: output could not be written\n", stderr);
        status = EXIT_LOST;
    }
    free(line.command);
    free(line.experiment);
    return status;
}
