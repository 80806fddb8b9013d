/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the completion of a program's command lines, from the tables of commands and
 * options.
 * usage: gen_completion bash|zsh PROGRAM
 */
#include <stdio.h>
#include <string.h>

#include "share/types.h"

enum { CMD_RC = 0, CMD_RC_ONLY = 1, CMD_BARE = 0, CMD_REST = 0, CMD_EVENTS = 0 };

static const struct word {
    const char *program;
    const char *name; /* without its dash */
    const char *args; /* as people read them, "" = none */
    const char *help; /* NULL: another name of a command */
    int flags;
    const char *handler;
} words[] = {
#define ER_COMMAND(function, name, args, group, flags, help) \
    { "er_print", name, args, help, flags, "" },
#define ER_ALIAS(function, name) { "er_print", name, "F [N]", NULL, 0, "" },
#include "print/commands.def"
#define SRC_OPTION(name, args, help) { "er_src", #name, args, help, 0, "" },
#define SRC_COMMAND(name, args, help) { "er_src", #name, args, help, 0, "" },
#include "print/src.def"
#define OUT_OPTION(name, args, help) { "er_export", #name, args, help, 0, "" },
#define OUT_COMMAND(name, args, help) { "er_export", #name, args, help, 0, "" },
#include "print/out/options.def"
#define ER_OPTION(letter, argument, handler, help, man) \
    { "collect", (const char[]){ letter, '\0' }, argument, help, 0, #handler },
#include "collector/launch/options.def"
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, (const char[]){ letter, '\0' }, argument, help, 0, "" },
#define TOOL_WORD(program, word, help, man) { #program, #word, "", help, 0, "" },
#include "archive/options.def"
#include "manage/options.def"
#include "collector/system/options.def"
};

enum { COUNT = ER_COUNT(words) };

static int
is_of(const struct word *w, const char *program)
{
    return !strcmp(w->program, program) && !(w->flags & CMD_RC_ONLY) &&
           strcmp(w->handler, "later");
}

/* What an argument may be, by its name in the tables; and bash code that offers it. */
static const struct value {
    const char *command; /* NULL = any */
    const char *name;
    const char *offer; /* of bash; "words ..." is a list, also for zsh */
} values[] = {
    { NULL, "F", "functions" },
    { "sort", "SPEC", "metrics" },
    { "metrics", "SPEC", "metrics" },
    { "indxobj", "TYPE", "words $index_types" },
    { "memobj", "TYPE", "words $memory_types" },
    { NULL, "EXPR", "filters" },
    { "indxobj_define", "TYPE", "none" },
    { "mobj_define", "TYPE", "none" },
    { NULL, "FILE", "files" },
    { NULL, "OLD", "files -d" },
    { NULL, "NEW", "files -d" },
    { NULL, "PATHS", "files -d" },
    { NULL, "DIRECTORY", "files -d" },
    { NULL, "EXPERIMENT", "experiments" },
    { NULL, "COMMAND", "words $commands" },
    { NULL, "UNIT", "words s ms us ns" },
    { NULL, "KIND", "words threads cpus processes experiments" },
    { NULL, "WHICH", "words on off" },
    { NULL, "FORM", "words long short brief mangled" },
    { "printmode", "MODE", "words text json" },
    { "viewmode", "MODE", "words user expert machine" },
    { "compare", "MODE", "words off on delta ratio" },
    { "heap", "VIEW", "words functions stacks" },
    { "locks", "VIEW", "words objects stacks" },
    { "mpidetail", "VIEW", "words comms sizes places stacks" },
    { "mpimatrix", "VIEW", "words pairs grid" },
    { "mpiwait", "VIEW", "words places stacks" },
    { "mpidelay", "VIEW", "words functions stacks" },
    { "mpicritical", "VIEW", "words functions stacks" },
    { "header", "VIEW", "words all" },
    { "p", "off|on|lo|hi|N[m|u]", "words off on lo hi wall" },
    { NULL, "SIGNAL", "signals" },
    { NULL, "NAME[,N][,...]", "words on hi lo cpu-clock task-clock page-faults "
                              "minor-faults major-faults cycles instructions" },
};

/* The value's row, NULL: nothing is known of it. */
static const struct value *
value_of(const char *command, const char *name, size_t len)
{
    for (size_t i = 0; i < ER_COUNT(values); i++)
        if ((!values[i].command || !strcmp(values[i].command, command)) &&
            strlen(values[i].name) == len && !strncmp(values[i].name, name, len))
            return &values[i];
    return NULL;
}

/* "off|on|lo|N[m|u]": those of the choices that are words, not placeholders. */
static void
put_choice_words(const char *argument)
{
    while (*argument) {
        size_t n = strcspn(argument, "|");

        if (n && strcspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ[]=,") >= n)
            printf(" %.*s", (int)n, argument);
        argument += n + (argument[n] == '|');
    }
}

static void
put_choices(const char *argument)
{
    printf("words");
    put_choice_words(argument);
}

/* What may stand behind each option or command, a case for each argument. */
static void
put_cases(const char *program)
{
    for (int i = 0; i < COUNT; i++) {
        const char *args = words[i].args;

        for (int nth = 1; is_of(&words[i], program) && *args; nth++) {
            size_t n = strcspn(args, " "), cut = *args == '[' && args[n - 1] == ']';
            const struct value *v = value_of(words[i].name, args + cut, n - 2 * cut);

            printf("    -%s:%d) ", words[i].name, nth);
            if (v)
                printf("_ertools_%s", v->offer);
            else
                printf("_ertools_"), put_choices(args);
            printf("%s ;;\n", cut ? "; _ertools_experiments" : "");
            args += n + (args[n] == ' ');
        }
    }
}

static void
put_names(const char *variable, const char *const *names, size_t count)
{
    printf("    local %s='", variable);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", names[i]);
    printf("'\n");
}

static const char *const metric_names[] = {
#define METRIC(metric, title, unit, flavours, doc) #metric,
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#define RATIO(metric, title, over, under, scale, doc) #metric,
#include "print/ratios.def"
    "name", "size", "address", "default",
};

static const char *const filter_words[] = {
#define FILTER_TOKEN(NAME, kind, source, doc) #NAME,
#include "print/tokens.def"
    "FNAME", "DNAME", "FILEIOVFD", "IN", "SOME", "ORDERED",
};

enum { EVENTS = 0, MEMORY = 1 };

static const struct {
    const char *name;
    int memory;
} index_names[] = {
#define ER_INDEX(name, kind, first, second, form, title, doc) { #name, kind },
#include "print/indexes.def"
};

static void
put_index_names(const char *variable, int memory)
{
    const char *names[ER_COUNT(index_names)];
    size_t count = 0;

    for (size_t i = 0; i < ER_COUNT(index_names); i++)
        if (index_names[i].memory == memory)
            names[count++] = index_names[i].name;
    put_names(variable, names, count);
}

/*
 * What all of them use. Words are split at blanks alone, as bash would split function
 * names and metrics at their colons. Names that come from experiments are compared, and
 * never given to compgen -W, which would expand them.
 */
static const char common[] =
    "_ertools_place() {\n"
    "    local line=${COMP_LINE-} word\n"
    "    quote=\n"
    "    [[ $line ]] && line=${line:0:COMP_POINT} || line=${COMP_WORDS[*]}\n"
    "    typed=()\n"
    "    read -ra typed <<<\"$line\"\n"
    "    [[ $line == *[[:space:]] ]] && typed+=('')\n"
    "    option= nth=0 real=${typed[-1]}\n"
    "    for word in \"${typed[@]:1}\"; do\n"
    "        if [[ $quote ]]; then\n"
    "            [[ $word != *\"$quote\"* ]] || quote=\n"
    "        elif [[ $word == -* ]]; then\n"
    "            option=$word nth=0\n"
    "        else\n"
    "            nth=$((nth + 1))\n"
    "            if [[ $word == [\\'\\\"]* && ${word:1} != *\"${word:0:1}\"* ]]; then\n"
    "                quote=${word:0:1}\n"
    "            fi\n"
    "        fi\n"
    "    done\n"
    "    [[ ! $quote ]] || real=${line##*\"$quote\"}\n"
    "}\n"
    "# Lines of standard input that begin as what was typed; $1 stands before them.\n"
    "_ertools_match() {\n"
    "    local line\n"
    "    while IFS= read -r line; do\n"
    "        [[ ${1-}$line != \"$real\"* ]] || COMPREPLY+=(\"${1-}$line\")\n"
    "    done\n"
    "}\n"
    "_ertools_words() { _ertools_match < <(printf '%s\\n' \"$@\"); }\n"
    "_ertools_none() { :; }\n"
    "_ertools_files() { _ertools_match < <(compgen \"${1--f}\" -- \"$real\"); }\n"
    "_ertools_signals() { _ertools_match < <(compgen -A signal | sed 's/^SIG//'); }\n"
    "_ertools_experiments() {\n"
    "    _ertools_match < <(compgen -d -- \"$real\"\n"
    "        compgen -f -X '!*.erg' -- \"$real\")\n"
    "}\n"
    "# The experiment of the command line, or the newest one here.\n"
    "_ertools_functions() {\n"
    "    local word experiment=\n"
    "    for word in \"${COMP_WORDS[@]:1}\"; do\n"
    "        [[ $word != *.er?(/) || ! -d $word ]] || experiment=$word\n"
    "    done\n"
    "    [[ $experiment ]] || for word in *.er; do\n"
    "        [[ ! -d $word || $experiment && ! $word -nt $experiment ]] ||\n"
    "            experiment=$word\n"
    "    done\n"
    "    [[ ! $experiment ]] || _ertools_match < <(timeout 5 \"${COMP_WORDS[0]}\" \\\n"
    "        -name short -metrics name -printmode '|' -limit 1000 -functions \\\n"
    "        \"$experiment\" 2>/dev/null </dev/null | sed -e 1d -e '/^[<\"]/d')\n"
    "}\n"
    "# The last of several metrics, with what says how it is shown.\n"
    "_ertools_metrics() {\n"
    "    local before=${real%\"${real##*[:.%+!]}\"}\n"
    "    _ertools_match \"$before\" < <(printf '%s\\n' $metric_names)\n"
    "    [[ $before == *[.%+!] ]] ||\n"
    "        _ertools_match \"$before\" < <(printf '%s\\n' e. i. a. e.% i.%)\n"
    "}\n"
    "# The last word of an expression.\n"
    "_ertools_filters() {\n"
    "    local before=${real%\"${real##*[!A-Za-z_]}\"}\n"
    "    _ertools_match \"$before\" < <(printf '%s\\n' $filter_words)\n"
    "}\n"
    "# Bash replaces only what stands behind the last colon.\n"
    "_ertools_end() {\n"
    "    local before=${real%\"${real##*:}\"}\n"
    "    [[ $COMP_WORDBREAKS != *:* || ! $COMP_LINE || $quote ]] ||\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$before\"}\")\n"
    "}\n";

/* Of collect: a program, named by its path, and what is behind it. */
static const char target[] =
    "_ertools_programs() {\n"
    "    local word\n"
    "    [[ ! $real || $real == */* ]] || _ertools_match < <(compgen -c -- \"$real\")\n"
    "    while IFS= read -r word; do\n"
    "        [[ $word != \"~\"* && ! -d $word && ! -x $word ]] ||\n"
    "            COMPREPLY+=(\"$word\")\n"
    "    done < <(compgen -f -- \"$real\")\n"
    "}\n"
    "_ertools_target() {\n"
    "    local i\n"
    "    for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do\n"
    "        [[ ${COMP_WORDS[i]} != \"$1\" ]] || break\n"
    "    done\n"
    "    if declare -F _command_offset >/dev/null; then\n"
    "        _command_offset \"$i\"\n"
    "    else\n"
    "        _ertools_files\n"
    "    fi\n"
    "}\n";

static void
put_options(const char *program)
{
    printf("    local commands='");
    for (int i = 0; i < COUNT; i++)
        if (is_of(&words[i], program))
            printf("%s%s", i ? " " : "", words[i].name);
    puts("'");
}

/* Where the target begins, options and their arguments are passed over. */
static void
put_walk(const char *program)
{
    printf("    local i\n"
           "    for ((i = 1; i < ${#typed[@]} - 1; i++)); do\n"
           "        case ${typed[i]} in\n"
           "        ");
    for (int i = 0, n = 0; i < COUNT; i++)
        if (is_of(&words[i], program) && *words[i].args)
            printf("%s-%s", n++ ? "|" : "", words[i].name);
    printf(") i=$((i + 1)) ;;\n"
           "        -*) ;;\n"
           "        *)\n"
           "            _ertools_target \"${typed[i]}\"\n"
           "            return\n"
           "            ;;\n"
           "        esac\n"
           "    done\n"
           "    # Not an argument of an option: it is the target.\n"
           "    ((i >= ${#typed[@]})) || [[ $real == -* ]] || option=\n");
}

static void
bash(const char *program)
{
    int runs = !strcmp(program, "collect");

    printf("# SPDX-License-Identifier: Apache-2.0\n"
           "# Completion of %s for bash, made from its tables.\n"
           "# shellcheck shell=bash disable=SC2034,SC2154\n%s%s"
           "_%s() {\n"
           "    local -a typed\n"
           "    local option nth real quote\n",
           program, common, runs ? target : "", program);
    put_options(program);
    put_names("metric_names", metric_names, ER_COUNT(metric_names));
    put_names("filter_words", filter_words, ER_COUNT(filter_words));
    put_index_names("index_types", EVENTS);
    put_index_names("memory_types", MEMORY);
    printf("    COMPREPLY=()\n"
           "    _ertools_place\n");
    if (runs)
        put_walk(program);
    printf("    if [[ $real == -* ]]; then\n"
           "        real=${real#-}\n"
           "        _ertools_words $commands\n"
           "        COMPREPLY=(\"${COMPREPLY[@]/#/-}\")\n"
           "        return\n"
           "    fi\n"
           "    case $option:$nth in\n");
    put_cases(program);
    printf("    *) _ertools_%s ;;\n"
           "    esac\n"
           "    _ertools_end\n"
           "}\n"
           "complete -o filenames -F _%s %s\n",
           runs ? "programs"
           : !strcmp(program, "er_print") || !strcmp(program, "er_export") ||
                   !strcmp(program, "er_html")
               ? "experiments"
               : "files",
           program, program);
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

/* Options whose argument is one of a few words; `$` stands for what bash alone has. */
static void
put_zsh_cases(const char *program)
{
    for (int i = 0; i < COUNT; i++) {
        const char *args = words[i].args;
        size_t n = strcspn(args, " ");
        size_t cut = n > 1 && *args == '[' && args[n - 1] == ']';
        const struct value *v = value_of(words[i].name, args + cut, n - 2 * cut);

        if (is_of(&words[i], program) && v && !strncmp(v->offer, "words ", 6) &&
            !strchr(v->offer, '$'))
            printf("-%s)\n    compadd -- %s\n    %s\n    ;;\n", words[i].name,
                   v->offer + 6, cut ? "_files" : "return");
        else if (is_of(&words[i], program) && !v && strchr(args, '|')) {
            printf("-%s)\n    compadd -- ", words[i].name);
            put_choice_words(args);
            puts("\n    return\n    ;;");
        }
    }
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
           "    return\n"
           "fi\n"
           "case $words[CURRENT-1] in\n");
    put_zsh_cases(program);
    printf("*) _files ;;\n"
           "esac\n%s", strcmp(program, "collect")
                           ? ""
                           : "[[ -z $PREFIX ]] || _command_names -e\n");
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
