/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a cell's value as text, for people or for programs. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_VALUE_H
#define ERTOOLS_PRINT_EXPORT_VALUE_H

#include <stdio.h>

#include "print/export/table.h"

enum { VALUE_MAX = 48 }; /* bytes of a number as text at most, with its final zero */

/*
 * Get a value for people. Seconds have three decimals, as more would feign precision.
 * Exactly zero is "0.", to differ from something small. buf has VALUE_MAX bytes;
 * returns buf, or the cell's own text.
 */
const char *value_shown(const struct column *c, const struct cell *v, char *buf);

/* Like value_shown(), for programs: seconds in full, percentages with six decimals. */
const char *value_plain(const struct column *c, const struct cell *v, char *buf);

/* Write a list as one string, joined by ";"; ";" and control characters become \xNN. */
void value_write_folded(const char *list, FILE *f);

/*
 * Write text for a terminal: bytes that could move its cursor become \xNN, as do bytes
 * that are not valid UTF-8 or that reverse the order of letters; tabs reach to
 * multiples of 8 columns from the text's beginning. Returns the columns taken;
 * value_width() computes them without writing.
 */
size_t value_write_safe(const char *text, FILE *f);
size_t value_width(const char *text);

/*
 * Write text in at most `room` columns (at least 1). If it is too long, its end is left
 * out; or, if `middle`, first the template arguments and parameters in functions'
 * names, then its middle. An ellipsis (if utf8) or "~" marks what is left out. Returns
 * the columns taken.
 */
size_t value_write_cut(const char *text, size_t room, bool middle, bool utf8, FILE *f);

/*
 * Like value_write_safe(), but tabs stay; so do line ends, if text has `several` lines.
 */
void value_write_lines(const char *text, bool several, FILE *f);

/*
 * Write len bytes of s as the inside of a json string, without the quotes. Bytes that
 * are not UTF-8 become U+FFFD, since json has no way to write them.
 */
void value_write_json(const char *s, size_t len, FILE *f);

/* Get the length of the UTF-8 character at s: 1 to 4; 0 if there is none. */
unsigned value_utf8(const char *s);

/*
 * Like value_utf8(); but also 0 for characters that control a terminal or reverse the
 * order of letters.
 */
unsigned value_harmless(const char *s);

/* Get the code point of the character of n bytes at s. */
u32 value_code_point(const char *s, unsigned n);

#endif
