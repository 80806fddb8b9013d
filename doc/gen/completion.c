/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the completion of er_print's command lines, from commands.def.
 * usage: gen_completion bash|zsh
 */
#include <stdio.h>
#include <string.h>

enum { CMD_RC = 0, CMD_RC_ONLY = 1, CMD_BARE = 0, CMD_REST = 0, CMD_EVENTS = 0 };

static const struct {
    const char *name, *help; /* NULL: another name of a command */
    int flags;
} commands[] = {
#define ER_COMMAND(function, name, args, group, flags, help) { name, help, flags },
#define ER_ALIAS(function, name) { name, NULL, 0 },
#include "print/commands.def"
};

enum { COUNT = sizeof(commands) / sizeof(commands[0]) };

static void
bash(void)
{
    puts("# SPDX-License-Identifier: Apache-2.0\n"
         "# Completion of er_print for bash, made from print/commands.def.\n"
         "_er_print() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]}\n"
         "    COMPREPLY=()\n"
         "    if [[ $word == -* ]]; then\n"
         "        # shellcheck disable=SC2207\n"
         "        COMPREPLY=($(compgen -W '");
    for (int i = 0; i < COUNT; i++)
        if (!(commands[i].flags & CMD_RC_ONLY))
            printf("            -%s\n", commands[i].name);
    puts("        ' -- \"$word\"))\n"
         "    else\n"
         "        # shellcheck disable=SC2207\n"
         "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "    fi\n"
         "}\n"
         "complete -o filenames -F _er_print er_print");
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
zsh(void)
{
    puts("#compdef er_print\n"
         "# SPDX-License-Identifier: Apache-2.0\n"
         "# Completion of er_print for zsh, made from print/commands.def.\n"
         "local -a commands\n"
         "commands=(");
    for (int i = 0; i < COUNT; i++) {
        if (commands[i].flags & CMD_RC_ONLY)
            continue;
        printf("    '-%s", commands[i].name);
        if (commands[i].help) {
            putchar(':');
            put_help(commands[i].help);
        }
        puts("'");
    }
    puts(")\n"
         "if [[ $PREFIX == -* ]]; then\n"
         "    _describe command commands\n"
         "else\n"
         "    _files\n"
         "fi");
}

int
main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "bash"))
        bash();
    else if (argc == 2 && !strcmp(argv[1], "zsh"))
        zsh();
    else
        return 2;
    return 0;
}
