/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the lines of a tree in front of a cell's text. Ordinary process context. */
#ifndef ERTOOLS_PRINT_EXPORT_TREE_H
#define ERTOOLS_PRINT_EXPORT_TREE_H

#include <stdbool.h>

/*
 * How a cell of a column with COL_TREE begins: optionally, a number in parentheses and
 * a blank; then, for each outer level, TREE_DOWN or TREE_NONE and a blank; then a
 * branch.
 */
#define TREE_DOWN '|' /* a line goes past the row, to a later row of this level */
#define TREE_NONE ' '
#define TREE_CHILD "+-" /* a child with a next sibling */
#define TREE_LAST "`-" /* the last child */

/* Get the text with its tree drawn in box characters (if utf8) or ASCII, for free(). */
char *tree_text(const char *text, bool utf8);

#endif
