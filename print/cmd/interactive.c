/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/interactive.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "print/cmd/history.h"
#include "print/cmd/run.h"
#include "print/model/symbols/function.h"

#define PROMPT "(er_print) "
#define PROMPT_MORE "> "

enum { NO_CHARACTER = -2 };

/* Functions that libedit and readline have under the same names. */
struct editor {
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    char **(*matches)(const char *text, char *(*next)(const char *text, int state));
    char **line;
    /* Only readline has these: it handles a signal later, when it is safe. */
    int (*signal_pending)(void);
    void (*check_signals)(void);
    int *end, *point;
};

/* Global variables, since the libraries call our functions without a context. */
static struct shell *the_shell;
static struct editor editor;
static int word_start;
static locale_t letters = LC_GLOBAL_LOCALE; /* as the user's terminal has them */

/* A byte that was typed before the prompt appeared, and that was not read yet. */
static int typed_ahead;
static bool count_ahead;

static void
interrupted(int sig)
{
    (void)sig;
    the_shell->interrupted = 1;
}

/*
 * Wait for a key. Returns 1 if there is one to read, 0 to ask again, -1 if interrupted.
 */
static int
wait_key(void)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    sigset_t block, old;
    int n = 0;

    sigemptyset(&block);
    sigaddset(&block, SIGINT);
    sigprocmask(SIG_BLOCK, &block, &old);
    if (!the_shell->interrupted && !(editor.signal_pending && editor.signal_pending()))
        n = ppoll(&in, 1, NULL, &old);
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (editor.check_signals)
        editor.check_signals();
    return the_shell->interrupted ? -1 : n > 0;
}

/* Read a byte of standard input; EOF at its end, or if interrupted. */
static int
next_byte(void)
{
    unsigned char c;
    ssize_t n;
    int ready;

    do {
        n = -1;
        errno = EINTR;
        ready = wait_key();
        if (ready > 0)
            n = read(STDIN_FILENO, &c, 1);
    } while (ready >= 0 && n < 0 && (errno == EINTR || errno == EAGAIN));
    return n > 0 ? c : EOF;
}

/*
 * The key for a NUL that was typed while a command ran: the end of the input (^D).
 * While a command runs, the terminal is in line mode, where ^D has no byte; when the
 * editor leaves that mode, the kernel turns ^D into a NUL, which editors take for
 * another key.
 */
static int
end_key(void)
{
    struct termios t;

    return tcgetattr(STDIN_FILENO, &t) || !t.c_cc[VEOF] ? 4 : t.c_cc[VEOF];
}

/*
 * libedit wants a whole character, readline a byte: complete the character that begins
 * with this byte.
 */
static int
whole_character(int c)
{
    mbstate_t state = { 0 };
    wchar_t wide;

    while (c != EOF) {
        char byte = (char)c;
        size_t n = mbrtowc(&wide, &byte, 1, &state);

        if (n == (size_t)-1)
            return NO_CHARACTER;
        if (n != (size_t)-2)
            return (int)wide;
        c = next_byte();
    }
    return EOF;
}

/* Reads a key for the editors. A signal handler never jumps out of this. */
static int
next_key(FILE *in)
{
    int c;

    (void)in;
    if (count_ahead && ioctl(STDIN_FILENO, FIONREAD, &typed_ahead))
        typed_ahead = 0;
    count_ahead = false;
    do {
        c = next_byte();
        if (typed_ahead > 0 && typed_ahead-- && !c)
            c = end_key();
        if (c >= 0x80 && !editor.end)
            c = whole_character(c);
    } while (c == NO_CHARACTER);
    if (c == EOF && editor.end)
        *editor.end = *editor.point = 0;
    return c;
}

/*
 * The command with which the line begins, NULL if the word is not (yet) a command's
 * name.
 */
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
    if (c && command_needs_name(c))
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

/* Complete a word. If this returns NULL, the library completes names of files. */
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
    static const char *const names[] = { "libedit.so.2", "libedit.so.0",
                                         "libreadline.so.8" };
    char **(**attempted)(const char *, int, int) = NULL;
    int (**getc_function)(FILE *) = NULL;
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
    *(void **)&editor.signal_pending = dlsym(lib, "rl_pending_signal");
    *(void **)&editor.check_signals = dlsym(lib, "rl_check_signals");
    *(void **)&getc_function = dlsym(lib, "rl_getc_function");
    if (!editor.readline || !editor.add_history || !getc_function)
        return -ENOSYS;
    *getc_function = next_key;
    if (editor.check_signals) {
        editor.end = dlsym(lib, "rl_end");
        editor.point = dlsym(lib, "rl_point");
    }
    if (attempted && editor.matches && editor.line)
        *attempted = attempt;
    return 0;
}

/*
 * Read a line without an editor. It has no newline; the caller frees it. NULL at the
 * end.
 */
static char *
plain_line(const char *prompt)
{
    char *line = mem_strdup("");
    size_t n = 0;
    int c;

    fputs(prompt, stdout);
    fflush(stdout);
    while ((c = next_byte()) != EOF && c != '\n') {
        line = mem_realloc(line, n + 2);
        line[n++] = (char)c;
        line[n] = '\0';
    }
    if (c != EOF || (n && !the_shell->interrupted))
        return line;
    free(line);
    return NULL;
}

/* Read a line, with the editor if there is one; NULL at the end, or if interrupted. */
static char *
read_part(const char *prompt)
{
    char *line;

    count_ahead = true;
    /* Only the editor uses the locale: commands are parsed in the C locale. */
    uselocale(letters);
    line = editor.readline ? editor.readline(prompt) : plain_line(prompt);
    uselocale(LC_GLOBAL_LOCALE);
    if (!the_shell->interrupted)
        return line;
    clearerr(stdin);
    clearerr(stdout);
    putchar('\n');
    free(line);
    return NULL;
}

/* Read a command; lines that end in \ are joined with the next one. */
static char *
read_command(void)
{
    char *line = read_part(PROMPT);
    size_t n;

    while (line && (n = strlen(line)) && line[n - 1] == '\\') {
        char *more = read_part(PROMPT_MORE);

        line[n - 1] = '\0';
        if (!more && the_shell->interrupted) {
            free(line);
            return NULL;
        }
        if (!more)
            break;
        line = mem_realloc(line, n + strlen(more));
        strcat(line, more);
        free(more);
    }
    return line;
}

/* Begin with the summary. */
static void
begin(struct shell *sh)
{
    char command[] = "summary", *words[] = { command, NULL };

    if (!sh->session->nexperiments)
        return;
    sh->unpaged = true;
    run_words(sh, 1, words);
    fflush(sh->out);
    shell_end_turn(sh);
    sh->unpaged = false;
}

void
interactive_run(struct shell *sh)
{
    struct sigaction action = { .sa_handler = interrupted };
    char *line;

    the_shell = sh;
    if (load_editor())
        editor.readline = NULL;
    letters = newlocale(LC_CTYPE_MASK, "", NULL);
    if (!letters)
        letters = LC_GLOBAL_LOCALE;
    if (editor.readline)
        history_read(editor.add_history);
    sigaction(SIGINT, &action, NULL);
    begin(sh);
    while (!sh->quit) {
        sh->interrupted = 0;
        line = read_command();
        if (!line && sh->interrupted)
            continue;
        if (!line)
            break;
        if (line[strspn(line, " \t")]) {
            if (editor.readline) {
                editor.add_history(line);
                history_keep(line);
            }
            run_line(sh, line);
            fflush(sh->out);
            shell_end_turn(sh);
        }
        free(line);
    }
    if (!sh->quit)
        putchar('\n');
    signal(SIGINT, SIG_DFL);
    if (letters != LC_GLOBAL_LOCALE)
        freelocale(letters);
    letters = LC_GLOBAL_LOCALE;
}
