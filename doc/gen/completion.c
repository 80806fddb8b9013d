/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the completion of a program's command lines, from the tables of commands and
 * options.
 * usage: gen_completion bash|zsh PROGRAM
 */
#include <stdio.h>
#include <string.h>

enum { CMD_RC = 0, CMD_RC_ONLY = 1, CMD_BARE = 0, CMD_REST = 0, CMD_EVENTS = 0 };

static const struct word {
    const char *program;
    const char *name; /* without its dash */
    const char *help; /* NULL: another name of a command */
    int flags;
    const char *handler;
} words[] = {
#define ER_COMMAND(function, name, args, group, flags, help) \
    { "er_print", name, help, flags, "" },
#define ER_ALIAS(function, name) { "er_print", name, NULL, 0, "" },
#include "print/commands.def"
#define SRC_OPTION(name, args, help) { "er_src", #name, help, 0, "" },
#define SRC_COMMAND(name, args, help) { "er_src", #name, help, 0, "" },
#include "print/src.def"
#define OUT_OPTION(name, args, help) { "er_export", #name, help, 0, "" },
#define OUT_COMMAND(name, args, help) { "er_export", #name, help, 0, "" },
#include "print/out/options.def"
#define ER_OPTION(letter, argument, handler, help, man) \
    { "collect", (const char[]){ letter, '\0' }, help, 0, #handler },
#include "collector/launch/options.def"
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, (const char[]){ letter, '\0' }, help, 0, "" },
#define TOOL_WORD(program, word, help, man) { #program, #word, help, 0, "" },
#include "archive/options.def"
#include "manage/options.def"
};

enum { COUNT = sizeof(words) / sizeof(words[0]) };

static int
is_of(const struct word *w, const char *program)
{
    return !strcmp(w->program, program) && !(w->flags & CMD_RC_ONLY) &&
           strcmp(w->handler, "later");
}

/* What stands where no option does: files; of collect also programs. */
static void
bash(const char *program)
{
    int runs = !strcmp(program, "collect");

    printf("# SPDX-License-Identifier: Apache-2.0\n"
           "# Completion of %s for bash, made from its table.\n"
           "_%s() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]}\n"
           "    COMPREPLY=()\n"
           "    if [[ $word == -* ]]; then\n"
           "        # shellcheck disable=SC2207\n"
           "        COMPREPLY=($(compgen -W '\n", program, program);
    for (int i = 0; i < COUNT; i++)
        if (is_of(&words[i], program))
            printf("            -%s\n", words[i].name);
    printf("        ' -- \"$word\"))\n"
           "    else\n"
           "        # shellcheck disable=SC2207\n"
           "        COMPREPLY=($(compgen -f%s -- \"$word\"))\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _%s %s\n", runs ? " -c" : "", program, program);
}

/* In a description, ' would end the string; [ and ] would end the description. */
static void
put_help(const char *help)
{
    for (; *help; help++)
        if (!strchr("'[]:\\", *help))
            putchar(*help);
        else if (*help == ':')
            fputs("\\:", stdout);
}

static void
zsh(const char *program)
{
    printf("#compdef %s\n"
           "# SPDX-License-Identifier: Apache-2.0\n"
           "# Completion of %s for zsh, made from its table.\n"
           "local -a words\n"
           "words=(\n", program, program);
    for (int i = 0; i < COUNT; i++) {
        if (!is_of(&words[i], program))
            continue;
        printf("    '-%s", words[i].name);
        if (words[i].help) {
            putchar(':');
            put_help(words[i].help);
        }
        puts("'");
    }
    printf(")\n"
           "if [[ $PREFIX == -* ]]; then\n"
           "    _describe option words\n"
           "else\n"
           "    _files\n"
           "%sfi\n", strcmp(program, "collect") ? "" : "    _command_names -e\n");
}

int
main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "bash"))
        bash(argv[2]);
    else if (argc == 3 && !strcmp(argv[1], "zsh"))
        zsh(argv[2]);
    else
        return 2;
    return 0;
}
