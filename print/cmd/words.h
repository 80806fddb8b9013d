/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides text into words: continued lines, quotes, comments. Ordinary process context;
 * independent of any command.
 */
#ifndef ERTOOLS_PRINT_CMD_WORDS_H
#define ERTOOLS_PRINT_CMD_WORDS_H

#include <stdbool.h>
#include <stdio.h>

enum { WORDS_MAX = 64 }; /* words of a command */

struct words {
    int n;
    char *v[WORDS_MAX + 1]; /* the words, in `text`; v[n] is NULL */
    char *text;             /* owned */
};

/*
 * Split a line. Words are separated by blanks. "..." and '...' may contain blanks; '
 * begins a quote only at the start of a word, as names may contain apostrophes. Within
 * "..." and outside of quotes, \" and \\ stand for " and \. # begins a comment where a
 * word could begin. Returns 0; or -EINVAL, and a sentence in *error. If 0, free by
 * words_free().
 */
int words_split(struct words *w, const char *line, const char **error);
void words_free(struct words *w);

/*
 * Like words_split(), but only the first `plain` words are split; the remainder of the
 * line, up to a comment, becomes one word with its quotes. If that begins with a
 * quotation mark, or is empty, this is the same as words_split().
 */
int words_split_rest(struct words *w, const char *line, int plain, const char **error);

/*
 * Read a command line; lines that end in \ are joined with the next one. *line is
 * reallocated, and the caller frees it; *number grows by the number of lines read.
 * Returns 1, or 0 at the end of the file.
 */
bool words_read_line(FILE *f, char **line, size_t *size, unsigned *number);

#endif
