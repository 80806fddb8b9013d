/* SPDX-License-Identifier: Apache-2.0 */
#include "share/tool.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "share/err.h"
#include "share/types.h"

enum {
    LETTERS = 2 * 64, /* room for two characters for each of 64 options */
    WORDS = 16,
};

static int
is_of(const struct tool_line *line, const struct tool_option *option)
{
    return !strcmp(option->tool, line->tool->name);
}

/* The width of an option's column, between the dash and the help. */
static int
width_of(const struct tool_option *option)
{
    return (int)(strlen(option->word) + (option->letter != 0) + 1 +
                 strlen(option->argument));
}

static void
print_row(const struct tool_option *option, int width)
{
    int done = printf("  -%.*s%s %s", option->letter ? 1 : 0, &option->letter,
                      option->word, option->argument);

    printf("%*s  %s\n", (int)strlen("  -") + width - done, "", option->help);
}

void
tool_help(const struct tool_line *line)
{
    static const struct tool_option always[] = {
        { "", 'V', "", "", "print the version" },
        { "", 0, "-help", "", "print this list" },
    };
    const char *at = line->tool->synopsis, *lead = "usage: ";
    int width = width_of(&always[1]);

    for (size_t len; *at; at += len + (at[len] != '\0'), lead = "       ") {
        len = strcspn(at, "\n");
        printf("%s%s %.*s\n", lead, line->tool->name, (int)len, at);
    }
    printf("%s\n\n", line->tool->help);
    for (size_t i = 0; i < line->options; i++)
        if (is_of(line, &line->option[i]) && width_of(&line->option[i]) > width)
            width = width_of(&line->option[i]);
    for (size_t i = 0; i < line->options; i++)
        if (is_of(line, &line->option[i]))
            print_row(&line->option[i], width);
    for (size_t i = 0; i < ER_COUNT(always); i++)
        print_row(&always[i], width);
}

/*
 * Write getopt's list of options: ":fn:hV", with '+' before it if a command follows the
 * options.
 */
static void
list_letters(const struct tool_line *line, char text[LETTERS])
{
    char *end = text + LETTERS - sizeof("a:hV");

    if (line->has_command)
        *text++ = '+';
    *text++ = ':';
    for (size_t i = 0; i < line->options && text < end; i++) {
        const struct tool_option *option = &line->option[i];

        if (!option->letter || !is_of(line, option))
            continue;
        *text++ = option->letter;
        if (*option->argument)
            *text++ = ':';
    }
    memcpy(text, "hV", sizeof("hV"));
}

static void
list_words(const struct tool_line *line, struct option words[WORDS + 1])
{
    size_t n = 0;

    words[n++] = (struct option){ "help", no_argument, NULL, 'h' };
    words[n++] = (struct option){ "version", no_argument, NULL, 'V' };
    for (size_t i = 0; i < line->options && n < WORDS; i++)
        if (*line->option[i].word && is_of(line, &line->option[i]))
            words[n++] = (struct option){ line->option[i].word, no_argument, NULL,
                                          line->option[i].word[0] };
    words[n] = (struct option){ 0 };
}

/* Change -calls into --calls, as getopt would take -calls for five options. */
static void
lengthen_words(const struct option *words, char **argv)
{
    for (; *argv && strcmp(*argv, "--"); argv++)
        for (const struct option *w = words; w->name; w++) {
            char *longer;

            if ((*argv)[0] != '-' || strcmp(*argv + 1, w->name))
                continue;
            if (asprintf(&longer, "-%s", *argv) >= 0)
                *argv = longer;
            break;
        }
}

int
tool_read(const struct tool_line *line, int argc, char **argv, tool_take *take,
          void *context)
{
    const char *name = line->tool->name;
    struct option words[WORDS + 1];
    char letters[LETTERS];
    int c;

    err_start(name, STDERR_FILENO);
    list_letters(line, letters);
    list_words(line, words);
    if (!line->has_command)
        lengthen_words(words, argv);
    opterr = 0;
    while ((c = getopt_long(argc, argv, letters, words, NULL)) != -1) {
        switch (c) {
        case 'h':
            tool_help(line);
            exit(0);
        case 'V':
            printf("%s (%s) %s\n", name, PACKAGE_NAME, PACKAGE_VERSION);
            exit(0);
        case ':':
            err_die(line->bad_usage, "%s needs a value; %s --help tells more",
                    argv[optind - 1], name);
        case '?':
            if (optopt)
                err_die(line->bad_usage, "-%c is no option; %s --help lists them",
                        optopt, name);
            err_die(line->bad_usage, "%s is no option; %s --help lists them",
                    argv[optind - 1], name);
        default:
            take(context, c, optarg);
        }
    }
    return optind;
}
