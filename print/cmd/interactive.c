/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/interactive.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/run.h"
#include "print/model/function.h"

#define PROMPT "(er_print) "
#define PROMPT_MORE "> "

/* What both libraries offer under the same names. */
struct editor {
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    char **(*matches)(const char *text, char *(*next)(const char *text, int state));
    char **line;
};

/* The libraries call back without a context. */
static struct shell *the_shell;
static struct editor editor;
static int word_start;

static volatile sig_atomic_t at_prompt;
static sigjmp_buf prompt_again;

static void
interrupted(int sig)
{
    (void)sig;
    the_shell->interrupted = 1;
    if (at_prompt)
        siglongjmp(prompt_again, 1);
}

/* The row of the command that the line starts with, NULL if it is none yet. */
static const struct command *
command_of(const char *line)
{
    char word[64], error[256];
    size_t n;

    line += strspn(line, " \t");
    n = strcspn(line, " \t");
    if (!n || n >= sizeof(word))
        return NULL;
    memcpy(word, line, n);
    word[n] = '\0';
    return command_find(word, error, sizeof(error));
}

static char *
complete_command(const char *text, u32 number)
{
    for (u32 i = 0; i < ncommands; i++)
        if (!(commands[i].flags & CMD_RC_ONLY) && command_matches(&commands[i], text) &&
            !number--)
            return mem_strdup(commands[i].name);
    return NULL;
}

static char *
complete_function(struct shell *sh, const char *text, u32 number)
{
    u32 count = function_count(sh->session);

    for (u32 f = FUNC_PSEUDO_COUNT; f < count; f++) {
        const char *name = function_name(sh->session, f);

        if (!strncmp(name, text, strlen(text)) && !number--)
            return mem_strdup(name);
    }
    return NULL;
}

char *
interactive_complete(struct shell *sh, const char *line, int start, const char *text,
                     u32 number)
{
    const struct command *c;

    if ((size_t)start <= strspn(line, " \t"))
        return complete_command(text, number);
    c = command_of(line);
    if (c && command_takes_name(c))
        return complete_function(sh, text, number);
    if (c && !strcmp(c->name, "help"))
        return complete_command(text, number);
    return NULL;
}

static char *
next_match(const char *text, int state)
{
    static u32 number;

    number = state ? number + 1 : 0;
    return interactive_complete(the_shell, *editor.line, word_start, text, number);
}

/* NULL lets the library complete names of files. */
static char **
attempt(const char *text, int start, int end)
{
    (void)end;
    word_start = start;
    return editor.matches(text, next_match);
}

static int
load_editor(void)
{
    static const char *const names[] = { "libedit.so.2", "libreadline.so.8" };
    char **(**attempted)(const char *, int, int) = NULL;
    void *lib = NULL;

    for (u32 i = 0; i < ER_COUNT(names) && !lib; i++)
        lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return -ENOENT;
    *(void **)&editor.readline = dlsym(lib, "readline");
    *(void **)&editor.add_history = dlsym(lib, "add_history");
    *(void **)&editor.matches = dlsym(lib, "rl_completion_matches");
    editor.line = dlsym(lib, "rl_line_buffer");
    *(void **)&attempted = dlsym(lib, "rl_attempted_completion_function");
    if (!editor.readline || !editor.add_history)
        return -ENOSYS;
    if (attempted && editor.matches && editor.line)
        *attempted = attempt;
    return 0;
}

/* A line without its newline, for the caller to free; NULL at the end. */
static char *
plain_line(const char *prompt)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;

    fputs(prompt, stdout);
    fflush(stdout);
    n = getline(&line, &size, stdin);
    if (n < 0) {
        free(line);
        return NULL;
    }
    if (n && line[n - 1] == '\n')
        line[n - 1] = '\0';
    return line;
}

static char *
read_part(const char *prompt)
{
    char *line;

    at_prompt = 1;
    line = editor.readline ? editor.readline(prompt) : plain_line(prompt);
    at_prompt = 0;
    return line;
}

/* A command, lines that end in \ joined with the next. */
static char *
read_command(void)
{
    char *line = read_part(PROMPT);
    size_t n;

    while (line && (n = strlen(line)) && line[n - 1] == '\\') {
        char *more = read_part(PROMPT_MORE);

        line[n - 1] = '\0';
        if (!more)
            break;
        line = mem_realloc(line, n + strlen(more));
        strcat(line, more);
        free(more);
    }
    return line;
}

void
interactive_run(struct shell *sh)
{
    struct sigaction action = { .sa_handler = interrupted };
    char *line;

    the_shell = sh;
    sh->interactive = true;
    if (load_editor())
        editor.readline = NULL;
    sigaction(SIGINT, &action, NULL);
    if (sigsetjmp(prompt_again, 1)) {
        at_prompt = 0;
        clearerr(stdin);
        putchar('\n');
    }
    while (!sh->quit) {
        line = read_command();
        if (!line)
            break;
        sh->interrupted = 0;
        if (line[strspn(line, " \t")]) {
            if (editor.readline)
                editor.add_history(line);
            run_line(sh, line);
            fflush(sh->out);
        }
        free(line);
    }
    if (!sh->quit)
        putchar('\n');
    signal(SIGINT, SIG_DFL);
}
