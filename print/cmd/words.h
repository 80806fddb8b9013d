/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From text to words: lines with continuation, quotes, comments. Ordinary process
 * context; nothing here knows any command.
 */
#ifndef ERTOOLS_PRINT_CMD_WORDS_H
#define ERTOOLS_PRINT_CMD_WORDS_H

#include <stdio.h>

enum { WORDS_MAX = 64 }; /* words of a command */

struct words {
    int n;
    char *v[WORDS_MAX + 1]; /* v[n] is NULL; they point into text */
    char *text;             /* owned */
};

/*
 * Split a line: words are separated by blanks; "..." and '...' (the latter only where a
 * word starts: names have apostrophes inside) hold blanks; within "..." and outside
 * quotes \" and \\ stand for themselves; # starts a comment where a word could start.
 * Returns 0 or, with `*error` set to a sentence, -EINVAL. Free with words_free() if 0.
 */
int words_split(struct words *w, const char *line, const char **error);
void words_free(struct words *w);

/*
 * The same with `plain` plain words, then one of all that is behind them, with its
 * quotes, up to a comment. Where that begins with a quotation mark, or there is none,
 * as words_split().
 */
int words_split_rest(struct words *w, const char *line, int plain, const char **error);

/*
 * Read a command line: lines that end in \ are joined with the next. *line is
 * reallocated, owned by the caller; *number grows by the lines read. Returns 1, or 0 at
 * the end of the file.
 */
int words_read_line(FILE *f, char **line, size_t *size, unsigned *number);

#endif
