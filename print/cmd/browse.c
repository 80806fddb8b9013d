/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/cmd/capture.h"
#include "print/cmd/curses.h"
#include "print/cmd/screen.h"
#include "print/model/symbols/function.h"

enum {
    LINES_BELOW = 2, /* lines below the view: the command that prints it, and hints */
    LINE_MAX_BYTES = 1024,
    REDRAW = 'L' & 31,
};

static const char hints[] = "Enter calls  s source  d disasm  t tree  f functions  "
                            "/ filter  Esc back  q quit";
static const char all_keys[] =
    "Enter callers and callees, or what a finding names; s source; d disassembly; "
    "t tree; f functions; / filter; : command; Esc back; q quit";

/* A view that was opened. */
struct view {
    char *command;
    struct captured c;
    u32 settings; /* number of settings that were made when it was printed */
    u32 top;      /* its line at the top of the screen */
    u32 at;       /* its line with the cursor */
};

struct browse {
    struct shell *sh;
    struct curses curses;
    bool utf8;
    struct view *view; /* the last one is on the screen */
    u32 nviews;
    char **setting; /* commands that changed settings, in order */
    u32 nsettings;
    char message[LINE_MAX_BYTES]; /* instead of the hints, until the next key */
    bool done;
};

static struct view *
top_view(struct browse *b)
{
    return &b->view[b->nviews - 1];
}

static u32
rows(const struct browse *b)
{
    int rows = b->curses.rows(b->curses.screen) - LINES_BELOW;

    return rows > 1 ? (u32)rows : 1;
}

static void set_message(struct browse *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
set_message(struct browse *b, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(b->message, sizeof(b->message), format, ap);
    va_end(ap);
}

/* Write a word, quoted for the shell if necessary. */
static void
put_word(FILE *f, const char *word, size_t n)
{
    static const char plain[] = "_./:=,+-@%";
    bool quote = n == 0;

    for (size_t i = 0; i < n; i++)
        quote |= !isalnum((unsigned char)word[i]) && !strchr(plain, word[i]);
    if (!quote) {
        fprintf(f, " %.*s", (int)n, word);
        return;
    }
    fputs(" '", f);
    for (size_t i = 0; i < n; i++)
        fputs(word[i] == '\'' ? "'\\''" : (char[]){ word[i], 0 }, f);
    putc('\'', f);
}

/*
 * If the text is a function's name and, as another argument, a number, get the bytes of
 * the blank and the number; else 0.
 */
static size_t
number_behind(const struct command *c, const char *text)
{
    const char *blank = strrchr(text, ' ');

    if (!c || !command_needs_name(c) || !blank || !blank[1] ||
        strspn(blank + 1, "0123456789") != strlen(blank + 1))
        return 0;
    return strlen(blank);
}

/* Write a command as an option of er_print. */
static void
put_command(FILE *f, const char *command)
{
    size_t n = strcspn(command, " ");
    char word[64], error[128];
    const struct command *c;
    const char *rest = command + n + strspn(command + n, " ");
    size_t number;

    snprintf(word, sizeof(word), "%.*s", (int)n, command);
    c = command_find(word, error, sizeof(error));
    fprintf(f, " -%s", word);
    if (!*rest)
        return;
    if (c && command_max_args(c) > 1 && !command_needs_name(c) &&
        !(c->flags & CMD_REST)) {
        fprintf(f, " %s", rest);
        return;
    }
    number = number_behind(c, rest);
    put_word(f, rest, strlen(rest) - number);
    fputs(rest + strlen(rest) - number, f);
}

/* Is the experiment in the directory of another one that is loaded? */
static bool
is_inside(const struct session *s, u32 index)
{
    for (u32 i = 0; i < s->nexperiments; i++) {
        size_t n = strlen(s->experiment[i]->path);

        if (i != index && !strncmp(s->experiment[index]->path, s->experiment[i]->path,
                                   n) &&
            s->experiment[index]->path[n] == '/')
            return true;
    }
    return false;
}

/* The command line of er_print that prints the view. */
static char *
command_line(const struct browse *b, const struct view *v)
{
    const struct session *s = b->sh->session;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return mem_strdup("");
    fputs("er_print", f);
    for (u32 i = 0; i < v->settings; i++)
        put_command(f, b->setting[i]);
    put_command(f, v->command);
    for (u32 i = 0; i < s->nexperiments; i++)
        if (!is_inside(s, i))
            put_word(f, s->experiment[i]->path, strlen(s->experiment[i]->path));
    fclose(f);
    return text;
}

static int
attributes_of(const struct captured_row *row)
{
    if (!row)
        return CURSES_PLAIN;
    if (row->flags & (ROW_HOT | ROW_SELF))
        return CURSES_BOLD;
    return row->flags & ROW_NOTE ? CURSES_DIM : CURSES_PLAIN;
}

static void
draw(struct browse *b)
{
    struct view *v = top_view(b);
    const struct captured_row *here = capture_row(&v->c, v->at);
    u32 n = rows(b);
    char *line;

    if (v->at < v->top)
        v->top = v->at;
    if (v->at >= v->top + n)
        v->top = v->at - n + 1;
    b->curses.erase(b->curses.screen);
    for (u32 i = 0; i < n && v->top + i < v->c.nlines; i++) {
        const struct captured_row *row = capture_row(&v->c, v->top + i);
        bool chosen = v->top + i == v->at || (row && row == here);

        curses_put(&b->curses, (int)i, v->c.line[v->top + i],
                   attributes_of(row) | (chosen ? CURSES_REVERSE : 0));
    }
    line = command_line(b, v);
    curses_put(&b->curses, (int)n, line, CURSES_BOLD);
    curses_put(&b->curses, (int)n + 1, *b->message ? b->message : hints, CURSES_DIM);
    free(line);
    b->curses.refresh(b->curses.screen);
}

/* Get the line to show first: of a row that is hot or was asked for; else of row 0. */
static u32
first_line(const struct captured *c)
{
    for (u32 i = 0; i < c->nrows; i++)
        if (c->row[i].flags & (ROW_HOT | ROW_SELF))
            return c->row[i].line;
    return c->nrows ? c->row[0].line : 0;
}

/* Run a command, and show its messages. false: it failed. */
static bool
run(struct browse *b, const char *command, struct captured *out)
{
    int columns = b->curses.columns(b->curses.screen);

    /* Only the screen uses the locale: commands are parsed in the C locale. */
    setlocale(LC_CTYPE, "C");
    capture_run(b->sh, command, (u32)columns, b->utf8, out);
    setlocale(LC_CTYPE, "");
    set_message(b, "%s", out->message);
    return !out->failed;
}

/*
 * Open a view with the output of a command; if the command fails, only show its
 * message.
 */
static void
open_view(struct browse *b, const char *command)
{
    struct view v = { .settings = b->nsettings };

    if (!run(b, command, &v.c) || (!v.c.nlines && b->nviews)) {
        if (!*b->message)
            set_message(b, "%s prints nothing", command);
        capture_free(&v.c);
        if (b->nviews)
            return;
        v.c = (struct captured){ 0 };
    }
    v.command = mem_strdup(command);
    v.at = first_line(&v.c);
    b->view = mem_grow(b->view, b->nviews, sizeof(*b->view));
    b->view[b->nviews++] = v;
}

/*
 * Get the line of the row that shows the same as the row `before`: the same function
 * or, if it shows none, the same line. If there is none, get first_line().
 */
static u32
same_row(const struct captured *now, const struct captured_row *before)
{
    for (u32 i = 0; before && i < now->nrows; i++)
        if (before->function ? now->row[i].function == before->function
                             : now->row[i].line == before->line)
            return now->row[i].line;
    return first_line(now);
}

/* Print the current view again, since settings, or the screen's size, have changed. */
static void
print_again(struct browse *b)
{
    struct view *v = top_view(b);
    struct captured c;

    v->settings = b->nsettings;
    if (!run(b, v->command, &c)) {
        capture_free(&c);
        return;
    }
    v->at = same_row(&c, capture_row(&v->c, v->at));
    v->top = 0;
    capture_free(&v->c);
    v->c = c;
}

static void
close_view(struct browse *b)
{
    struct view *v = top_view(b);

    if (b->nviews == 1)
        return;
    capture_free(&v->c);
    free(v->command);
    b->nviews--;
    if (top_view(b)->settings != b->nsettings)
        print_again(b);
}

/* Open the view that the command `verb` shows for the function in the cursor's row. */
static void
open_function(struct browse *b, const char *verb)
{
    struct view *v = top_view(b);
    const struct captured_row *row = capture_row(&v->c, v->at);
    struct session *s = b->sh->session;
    struct function_info info;
    const char *name;
    char *command;
    u32 *ids, count, number = 0;

    if (!row || !row->function) {
        set_message(b, "this line names no function");
        return;
    }
    name = function_name(s, row->function);
    if (strpbrk(name, "\"'\\")) {
        function_get(s, row->function, &info);
        name = info.linkage;
    }
    if (function_find(s, name, &ids, &count) == 0) {
        while (number < count && ids[number] != row->function)
            number++;
        free(ids);
        number = number == count ? 0 : number + 1;
        count = count > 1 ? number : 0;
    } else {
        count = 0;
    }
    if (count ? asprintf(&command, "%s %s %u", verb, name, count) < 0
              : asprintf(&command, "%s %s", verb, name) < 0)
        return;
    open_view(b, command);
    free(command);
}

/* Open what the cursor's row names: its command, else its function's callers etc. */
static void
open_row(struct browse *b)
{
    struct view *v = top_view(b);
    const struct captured_row *row = capture_row(&v->c, v->at);
    char *command = row && row->command ? mem_strdup(row->command) : NULL;

    if (command)
        open_view(b, command);
    else
        open_function(b, "csingle");
    free(command);
}

/* Let the user type a line at the bottom of the screen; "" if the user gives up. */
static void
read_line(struct browse *b, char prompt, char *line)
{
    const struct curses *c = &b->curses;
    size_t n = 0;
    int key;

    for (;;) {
        char shown[LINE_MAX_BYTES + 2];

        line[n] = '\0';
        snprintf(shown, sizeof(shown), "%c%s", prompt, line);
        c->cursor(1);
        curses_put(c, (int)rows(b) + 1, shown, CURSES_PLAIN);
        c->refresh(c->screen);
        key = c->get_key(c->screen);
        if (key == '\r' || key == '\n' || key == CURSES_ENTER)
            break;
        if (key < 0 || key == CURSES_ESCAPE) {
            line[0] = '\0';
            break;
        }
        if ((key == CURSES_BACKSPACE || key == 127 || key == '\b') && n) {
            while (n && (line[--n] & 0xc0) == 0x80)
                ;
        } else if (key >= ' ' && key < 256 && key != 127 && n + 1 < LINE_MAX_BYTES) {
            line[n++] = (char)key;
        }
    }
    c->cursor(0);
}

/* Run a command that the user has typed: make a setting, or open a view. */
static void
run_typed(struct browse *b, const char *line)
{
    char word[64], error[256];
    const struct command *c;
    struct captured out;
    bool good;

    snprintf(word, sizeof(word), "%.*s", (int)strcspn(line, " "), line);
    c = command_find(word, error, sizeof(error));
    if (c && (!strcmp(c->name, "quit") || !strcmp(c->name, "browse"))) {
        b->done |= *c->name == 'q';
        return;
    }
    if (!c || !command_is_setting(c)) {
        open_view(b, line);
        return;
    }
    good = run(b, line, &out);
    capture_free(&out);
    if (!good)
        return;
    b->setting = mem_grow(b->setting, b->nsettings, sizeof(*b->setting));
    b->setting[b->nsettings++] = mem_strdup(line);
    print_again(b);
}

static void
prompt_run(struct browse *b, char prompt)
{
    char line[LINE_MAX_BYTES], command[LINE_MAX_BYTES + 16];

    read_line(b, prompt, line);
    if (!line[strspn(line, " ")])
        return;
    snprintf(command, sizeof(command), "%s%s", prompt == '/' ? "filters " : "", line);
    run_typed(b, command);
}

static void
move_to(struct browse *b, int64_t line)
{
    struct view *v = top_view(b);
    int64_t last = v->c.nlines ? (int64_t)v->c.nlines - 1 : 0;

    v->at = (u32)(line < 0 ? 0 : line > last ? last : line);
}

/* Move the cursor a line up or down; a paragraph counts as a line. */
static void
step(struct browse *b, int by)
{
    struct view *v = top_view(b);
    const struct captured_row *row = capture_row(&v->c, v->at);
    int64_t at = v->at;

    do
        at += by;
    while (row && row->is_prose && at >= 0 && at < v->c.nlines &&
           capture_row(&v->c, (u32)at) == row);
    move_to(b, at);
}

static bool
move(struct browse *b, int key)
{
    struct view *v = top_view(b);
    int64_t page = rows(b);

    switch (key) {
    case CURSES_DOWN:
    case 'j':
        step(b, 1);
        return true;
    case CURSES_UP:
    case 'k':
        step(b, -1);
        return true;
    case CURSES_PAGE_DOWN:
    case ' ':
        move_to(b, v->at + page);
        return true;
    case CURSES_PAGE_UP:
    case 'b':
        move_to(b, v->at - page);
        return true;
    case CURSES_HOME:
    case 'g':
        move_to(b, 0);
        return true;
    case CURSES_END:
    case 'G':
        move_to(b, INT64_MAX / 2);
        return true;
    default:
        return false;
    }
}

static void
act(struct browse *b, int key)
{
    switch (key) {
    case '\r':
    case '\n':
    case CURSES_ENTER:
    case CURSES_RIGHT:
        open_row(b);
        break;
    case 's':
        open_function(b, "source");
        break;
    case 'd':
        open_function(b, "disasm");
        break;
    case 't':
        open_view(b, "calltree");
        break;
    case 'f':
        open_view(b, "functions");
        break;
    case '/':
    case ':':
        prompt_run(b, (char)key);
        break;
    case CURSES_ESCAPE:
    case CURSES_BACKSPACE:
    case CURSES_LEFT:
    case 127:
        close_view(b);
        break;
    case CURSES_RESIZE:
        print_again(b);
        break;
    case REDRAW:
        b->curses.clear_all(b->curses.screen, true);
        break;
    case 'q':
        b->done = true;
        break;
    default:
        set_message(b, "%s", all_keys);
    }
}

static void
forget(struct browse *b)
{
    for (u32 i = 0; i < b->nviews; i++) {
        capture_free(&b->view[i].c);
        free(b->view[i].command);
    }
    for (u32 i = 0; i < b->nsettings; i++)
        free(b->setting[i]);
    free(b->view);
    free(b->setting);
}

static void
walk(struct browse *b)
{
    open_view(b, "summary");
    while (!b->done && !b->sh->quit) {
        int key;

        draw(b);
        key = b->curses.get_key(b->curses.screen);
        b->message[0] = '\0';
        if (key < 0)
            break;
        if (!move(b, key))
            act(b, key);
    }
}

int
cmd_browse(struct shell *sh, int argc, char **argv)
{
    struct browse b = { .sh = sh };
    export_fn *export = sh->export;
    int err = 0;

    (void)argc;
    (void)argv;
    if (!sh->screen || !screen_is_able(STDOUT_FILENO) || !screen_is_able(STDIN_FILENO))
        return shell_fail(sh, "works at a terminal only");
    b.utf8 = screen_is_utf8(sh->screen);
    screen_end_turn(sh->screen);
    setlocale(LC_CTYPE, "");
    err = curses_open(&b.curses);
    if (!err) {
        sh->export = export_text;
        walk(&b);
        curses_close(&b.curses);
        sh->export = export;
        forget(&b);
    }
    setlocale(LC_CTYPE, "C");
    if (err == -ENOENT)
        return shell_fail(sh, "needs the library ncursesw (Debian: libncursesw6)");
    return err ? shell_fail_errno(sh, err, "the terminal cannot be used") : 0;
}
