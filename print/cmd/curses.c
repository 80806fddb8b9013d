/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/curses.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "share/types.h"

enum { ESCAPE_MS = 25 }; /* what follows Esc later than this is another key */

/* Functions of the library that are called only at the beginning. */
struct setup {
    void *(*newterm)(const char *type, FILE *out, FILE *in);
    void **standard_screen;
    int (*cbreak)(void);
    int (*noecho)(void);
    int (*nonl)(void);
    int (*keypad)(void *window, bool on);
    int (*set_escdelay)(int ms);
};

struct wanted {
    void **to;
    const char *name;
};

static int
find_all(void *library, const struct wanted *wanted, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        *wanted[i].to = dlsym(library, wanted[i].name);
        if (!*wanted[i].to)
            return -ENOSYS;
    }
    return 0;
}

int
curses_open(struct curses *c)
{
    void *library = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
    struct setup s;
    const struct wanted wanted[] = {
        { (void **)&s.newterm, "newterm" },
        { (void **)&s.standard_screen, "stdscr" },
        { (void **)&s.cbreak, "cbreak" },
        { (void **)&s.noecho, "noecho" },
        { (void **)&s.nonl, "nonl" },
        { (void **)&s.keypad, "keypad" },
        { (void **)&s.set_escdelay, "set_escdelay" },
        { (void **)&c->move, "wmove" },
        { (void **)&c->add, "waddnstr" },
        { (void **)&c->attributes, "wattrset" },
        { (void **)&c->to_line_end, "wclrtoeol" },
        { (void **)&c->erase, "werase" },
        { (void **)&c->clear_all, "clearok" },
        { (void **)&c->refresh, "wrefresh" },
        { (void **)&c->get_key, "wgetch" },
        { (void **)&c->rows, "getmaxy" },
        { (void **)&c->columns, "getmaxx" },
        { (void **)&c->cursor, "curs_set" },
        { (void **)&c->end, "endwin" },
    };
    int err = library ? find_all(library, wanted, ER_COUNT(wanted)) : -ENOENT;

    if (err)
        return err;
    if (!s.newterm(NULL, stdout, stdin))
        return -ENOTTY;
    c->screen = *s.standard_screen;
    s.cbreak();
    s.noecho();
    s.nonl();
    s.keypad(c->screen, true);
    s.set_escdelay(ESCAPE_MS);
    c->cursor(0);
    return 0;
}

void
curses_close(struct curses *c)
{
    c->erase(c->screen);
    c->refresh(c->screen);
    c->cursor(1);
    c->end();
}

/* How many bytes of the text fit into that many columns. */
static int
fitting(const char *text, int columns)
{
    size_t at = 0, n;
    mbstate_t state = { 0 };
    wchar_t wide;
    int used = 0;

    while ((n = mbrtowc(&wide, text + at, strlen(text + at) + 1, &state)) != 0) {
        int width = 1;

        if (n == (size_t)-1 || n == (size_t)-2) {
            n = 1;
            memset(&state, 0, sizeof(state));
        } else if (wcwidth(wide) >= 0) {
            width = wcwidth(wide);
        }
        if (used + width > columns)
            break;
        used += width;
        at += n;
    }
    return (int)at;
}

void
curses_put(const struct curses *c, int row, const char *text, int attributes)
{
    int columns = c->columns(c->screen);

    c->move(c->screen, row, 0);
    c->attributes(c->screen, attributes);
    c->to_line_end(c->screen);
    c->add(c->screen, text, fitting(text, columns));
    c->attributes(c->screen, CURSES_PLAIN);
}
