/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the list of options for the manual page of a program, in mdoc. The page has it
 * between two lines of comment; a test compares.
 * usage: gen_options PROGRAM
 */
#include <stdio.h>
#include <string.h>

static const struct option {
    const char *program;
    char letter;
    const char *argument, *handler, *help, *man;
} options[] = {
#define ER_OPTION(letter, argument, handler, help, man) \
    { "collect", letter, argument, #handler, help, man },
#include "collector/launch/options.def"
#define TOOL(program, synopsis, help)
#define TOOL_OPTION(program, letter, argument, help, man) \
    { #program, letter, argument, "", help, man },
#define TOOL_WORD(program, word, help, man)
#include "archive/options.def"
#include "manage/options.def"
#include "collector/system/options.def"
};

/* Of er_archive: words with one dash. */
static const struct {
    const char *program, *word, *help, *man;
} long_words[] = {
#undef TOOL_OPTION
#undef TOOL_WORD
#define TOOL_OPTION(program, letter, argument, help, man)
#define TOOL_WORD(program, word, help, man) { #program, #word, help, man },
#include "archive/options.def"
};

/* Those of er_src and er_export are words: name, arguments, help. */
static const struct {
    const char *program, *name, *args, *help;
} words[] = {
#define SRC_OPTION(name, args, help) { "er_src", #name, args, help },
#define SRC_COMMAND(name, args, help) { "er_src", #name, args, help },
#include "print/src.def"
#define OUT_OPTION(name, args, help) { "er_export", #name, args, help },
#define OUT_COMMAND(name, args, help) { "er_export", #name, args, help },
#include "print/out/options.def"
};

enum { WORDS = sizeof(words) / sizeof(words[0]) };
enum { COUNT = sizeof(options) / sizeof(options[0]) };

static int
is_later(const struct option *o)
{
    return !strcmp(o->handler, "later");
}

/* A sentence: "clock profiling" -> "Clock profiling." */
static void
put_sentence(const char *text)
{
    int first = *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text;

    printf("%c%s.\n", first, text + 1);
}

/* Capitals stand for something, small letters for themselves: on|SECONDS. */
static void
put_argument(const char *text)
{
    static const char marks[] = "|[],-=.";

    printf(" Xo\n.Sm off\n");
    while (*text) {
        size_t n = strcspn(text, marks);

        if (n)
            printf(".%s %.*s\n", *text >= 'A' && *text <= 'Z' ? "Ar" : "Cm", (int)n,
                   text);
        text += n;
        n = strspn(text, marks);
        if (n == 1 && *text == '|')
            printf(".No \\~|\\~\n");
        else if (n)
            printf(".No \\&%.*s\n", (int)n, text);
        text += n;
    }
    printf(".Sm on\n.Xc\n");
}

static int
is_of(const struct option *o, const char *program)
{
    return !strcmp(o->program, program);
}

/* [TAG] -> Op Ar TAG. */
static void
put_words(const char *program)
{
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(words[i].program, program))
            continue;
        printf(".It Fl %s", words[i].name);
        for (const char *args = words[i].args; *args;) {
            size_t n = strcspn(args, " ");
            int optional = *args == '[';

            printf(" %sAr %.*s", optional ? "Op " : "", (int)n - 2 * optional,
                   args + optional);
            args += n + (args[n] == ' ');
        }
        putchar('\n');
        put_sentence(words[i].help);
    }
}

/* Those that a version to come will understand. */
static void
put_later(const char *program)
{
    printf(".Pp\nThese come with later versions; this one refuses them:\n"
           ".Bl -tag -compact -width 4n\n");
    for (int i = 0; i < COUNT; i++)
        if (is_of(&options[i], program) && is_later(&options[i]))
            printf(".It Fl %c\n%s\n", options[i].letter, options[i].help);
    printf(".El\n");
}

int
main(int argc, char **argv)
{
    const char *program = argc > 1 ? argv[1] : "";
    int later = 0;

    printf(".Bl -tag -width 4n\n");
    for (int i = 0; i < COUNT; i++) {
        if (!is_of(&options[i], program))
            continue;
        later |= is_later(&options[i]);
        if (is_later(&options[i]))
            continue;
        printf(".It Fl %c", options[i].letter);
        if (*options[i].argument)
            put_argument(options[i].argument);
        else
            putchar('\n');
        put_sentence(options[i].help);
        fputs(options[i].man, stdout);
    }
    for (size_t i = 0; i < sizeof(long_words) / sizeof(long_words[0]); i++) {
        if (strcmp(long_words[i].program, program))
            continue;
        printf(".It Fl %s\n", long_words[i].word);
        put_sentence(long_words[i].help);
        fputs(long_words[i].man, stdout);
    }
    put_words(program);
    if (strcmp(program, "collect"))
        printf(".It Fl V , Fl -version\nPrint the version.\n");
    printf(".It Fl -help\nPrint this list.\n.El\n");
    if (later)
        put_later(program);
    return 0;
}
