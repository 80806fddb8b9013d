/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "print/cmd/interactive.h"
#include "print/cmd/rcfile.h"
#include "print/cmd/run.h"
#include "print/load/progress.h"
#include "print/load/shrunk.h"

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
    "       er_print [-] EXPERIMENT...\n"
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

static int
is_option(const char *word)
{
    return word && word[0] == '-' && word[1];
}

/*
 * Whether a word may be an optional argument: not an option, and no experiment. A
 * picture may be there already, and elsewhere.
 */
static int
is_optional(const char *word)
{
    size_t n = word ? strlen(word) : 0;

    if (n > 4 && !strcmp(word + n - 4, ".svg"))
        return 1;
    return n && !is_option(word) && strcmp(word, "-") && !strchr(word, '/') &&
           !(n > 3 && !strcmp(word + n - 3, ".er")) &&
           !(n > 4 && !strcmp(word + n - 4, ".erg")) && access(word, F_OK);
}

/* Take the command at *at and its arguments. Returns 0, or 1 if it is none; told. */
static int
take_command(struct line *l, int *at, char **argv)
{
    int first = *at, n = 1, min, max;
    const struct command *c;
    char error[1024];

    argv[first]++;
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

/* `-` reads standard input, at its place among the commands. */
static void
take_stdin(struct line *l, int *at, char **argv)
{
    l->command = mem_grow(l->command, l->ncommands, sizeof(*l->command));
    l->command[l->ncommands].n = 0;
    l->command[l->ncommands++].v = argv + *at;
    ++*at;
}

static int
sort_out(struct line *l, char **argv)
{
    for (int i = 1; argv[i];) {
        if (is_option(argv[i])) {
            if (take_command(l, &i, argv))
                return 1;
        } else if (!strcmp(argv[i], "-")) {
            take_stdin(l, &i, argv);
        } else {
            l->experiment =
                mem_grow(l->experiment, l->nexperiments, sizeof(*l->experiment));
            l->experiment[l->nexperiments++] = argv[i++];
        }
    }
    return 0;
}

static void
run_commands(struct shell *sh, const struct line *l)
{
    for (u32 i = 0; i < l->ncommands && !sh->quit; i++) {
        char *words[8] = { NULL };

        if (!l->command[i].n) {
            run_file(sh, "-");
            continue;
        }
        memcpy(words, l->command[i].v, (size_t)l->command[i].n * sizeof(*words));
        run_words(sh, l->command[i].n, words);
    }
    if (l->ncommands || sh->quit)
        return;
    if (sh->interactive)
        interactive_run(sh);
    else
        run_file(sh, "-");
}

static int
print(struct shell *sh, const struct line *l)
{
    sh->interactive = !l->ncommands && isatty(STDIN_FILENO);
    shell_use_terminal(sh);
    rcfile_read_all(sh);
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
    if (!strcmp(argv[1], "--help"))
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
