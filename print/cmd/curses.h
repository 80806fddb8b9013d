/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of ncursesw that er_print calls. The library is loaded at run time when
 * it is needed; er_print can be built and run without it. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_CURSES_H
#define ERTOOLS_PRINT_CMD_CURSES_H

#include <stdbool.h>

/* Constants of ncurses(3): keys that wgetch() returns besides bytes, and attributes. */
enum curses_key {
    CURSES_DOWN = 0402,
    CURSES_UP = 0403,
    CURSES_LEFT = 0404,
    CURSES_RIGHT = 0405,
    CURSES_HOME = 0406,
    CURSES_BACKSPACE = 0407,
    CURSES_PAGE_DOWN = 0522,
    CURSES_PAGE_UP = 0523,
    CURSES_ENTER = 0527,
    CURSES_END = 0550,
    CURSES_RESIZE = 0632,
    CURSES_ESCAPE = 033,
};

enum curses_attribute {
    CURSES_PLAIN = 0,
    CURSES_REVERSE = 1 << 18,
    CURSES_DIM = 1 << 20,
    CURSES_BOLD = 1 << 21,
};

struct curses {
    void *screen;
    int (*move)(void *window, int y, int x);
    int (*add)(void *window, const char *text, int bytes);
    int (*attributes)(void *window, int attributes);
    int (*to_line_end)(void *window);
    int (*erase)(void *window);
    int (*clear_all)(void *window, bool on); /* at the next refresh */
    int (*refresh)(void *window);
    int (*get_key)(void *window);
    int (*rows)(const void *window);
    int (*columns)(const void *window);
    int (*cursor)(int visibility);
    int (*end)(void);
};

/*
 * Begin to use the terminal. 0; -ENOENT: there is no such library; -ENOSYS: it lacks a
 * function; -ENOTTY: the terminal's type is unknown.
 */
int curses_open(struct curses *c);

/* Restore the terminal. */
void curses_close(struct curses *c);

/*
 * Write the text in a row, cut at the screen's width; the remainder of the row is
 * cleared.
 */
void curses_put(const struct curses *c, int row, const char *text, int attributes);

#endif
