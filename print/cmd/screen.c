/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "print/cmd/pager.h"
#include "print/export/mem.h"
#include "print/base/progress.h"

enum { PIECE = 4096 }; /* bytes between two looks at the interrupt */

struct screen {
    FILE *stream;
    const volatile sig_atomic_t *interrupted; /* NULL: it ends the program */
    struct pager *pager; /* NULL: not started */
    bool able;           /* a terminal that can be drawn on */
    bool utf8;
    bool colour;
    bool allowed;
    bool gone; /* the pager's reader had enough */
    char *held; /* what is not shown yet, because it may be long */
    size_t size;
    size_t room;
    u64 rows; /* rows that the text in `held` takes at most */
};

bool
screen_is_able(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) && term && *term && strcmp(term, "dumb");
}

/*
 * Can the terminal show UTF-8? The locale is only asked, not set, since setting it
 * would change what patterns match.
 */
static bool
is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
    bool utf8;

    if (!locale)
        return false;
    utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
    freelocale(locale);
    return utf8;
}

static struct winsize
window(void)
{
    struct winsize w;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w))
        memset(&w, 0, sizeof(w));
    return w;
}

static bool
is_interrupted(const struct screen *s)
{
    return s->interrupted && *s->interrupted;
}

/* Write to the terminal itself. Returns 0 or -1. */
static int
put(struct screen *s, const char *text, size_t size)
{
    fflush(stdout);
    progress_erase();
    while (size && !is_interrupted(s)) {
        ssize_t n = write(STDOUT_FILENO, text, size < PIECE ? size : PIECE);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        text += n;
        size -= (size_t)n;
    }
    return 0;
}

static int
put_pager(struct screen *s, const char *text, size_t size)
{
    if (!s->gone && pager_write(s->pager, text, size) < 0)
        s->gone = true;
    if (!s->gone || s->interrupted)
        return 0;
    errno = EPIPE;
    return -1;
}

/*
 * How many columns a line takes: its characters outside of colour sequences. It may
 * take fewer.
 */
static size_t
columns_of(const char *line, size_t size)
{
    size_t columns = 0;
    bool escape = false;

    for (size_t i = 0; i < size; i++) {
        if (line[i] == '\033')
            escape = true;
        else if (!escape)
            columns += ((unsigned char)line[i] & 0xc0) != 0x80;
        else
            escape = line[i] != 'm';
    }
    return columns;
}

/* Rows that a text takes. */
static u64
rows_of(const char *text, size_t size, u32 width)
{
    u64 rows = 0;

    while (size) {
        const char *end = memchr(text, '\n', size);
        size_t line = end ? (size_t)(end - text) : size;
        size_t columns = columns_of(text, line);

        rows += columns && width ? (columns + width - 1) / width : 1;
        line += end != NULL;
        text += line;
        size -= line;
    }
    return rows;
}

static int
show_held(struct screen *s)
{
    size_t size = s->size;

    s->size = 0;
    s->rows = 0;
    return s->pager ? put_pager(s, s->held, size) : put(s, s->held, size);
}

static int
hold(struct screen *s, const char *text, size_t size)
{
    struct winsize w = window();

    if (s->size + size > s->room) {
        s->room = 2 * (s->size + size);
        s->held = mem_realloc(s->held, s->room);
    }
    memcpy(s->held + s->size, text, size);
    s->size += size;
    s->rows += rows_of(text, size, w.ws_col);
    if (w.ws_row && s->rows < w.ws_row)
        return 0;
    if (w.ws_row && pager_start(&s->pager, !s->interrupted) < 0)
        s->allowed = false;
    return show_held(s);
}

static ssize_t
on_write(void *cookie, const char *text, size_t size)
{
    struct screen *s = cookie;
    int bad = 0;

    if (s->pager)
        bad = put_pager(s, text, size);
    else if (s->able && s->allowed && !is_interrupted(s))
        bad = hold(s, text, size);
    else
        bad = put(s, text, size);
    return bad ? 0 : (ssize_t)size;
}

int
screen_open(struct screen **screen, const volatile sig_atomic_t *interrupted)
{
    static const cookie_io_functions_t functions = { .write = on_write };
    struct screen *s = calloc(1, sizeof(*s));
    const char *no_colour = getenv("NO_COLOR");

    if (!s)
        return -ENOMEM;
    s->interrupted = interrupted;
    s->able = screen_is_able(STDOUT_FILENO);
    s->utf8 = is_utf8();
    s->colour = s->able && !(no_colour && *no_colour);
    s->stream = fopencookie(s, "w", functions);
    if (!s->stream) {
        free(s);
        return -ENOMEM;
    }
    *screen = s;
    return 0;
}

FILE *
screen_stream(const struct screen *s)
{
    return s->stream;
}

void
screen_allow_pager(struct screen *s, bool allow)
{
    s->allowed = allow;
}

void
screen_form(const struct screen *s, struct export_form *form)
{
    if (!s->able)
        return;
    form->colour = s->colour;
    form->bars = true;
    form->utf8 = s->utf8;
    form->width = window().ws_col;
}

bool
screen_is_utf8(const struct screen *s)
{
    return s->utf8;
}

void
screen_release(struct screen *s)
{
    fflush(s->stream);
    if (!s->pager)
        show_held(s);
}

void
screen_end_turn(struct screen *s)
{
    screen_release(s);
    if (s->pager)
        pager_end(s->pager);
    s->pager = NULL;
    s->gone = false;
}

void
screen_close(struct screen *s)
{
    if (!s)
        return;
    screen_end_turn(s);
    fclose(s->stream);
    free(s->held);
    free(s);
}
