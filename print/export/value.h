/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cell's value as text, for people and for programs. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_VALUE_H
#define ERTOOLS_PRINT_EXPORT_VALUE_H

#include <stdio.h>

#include "print/export/table.h"

enum { VALUE_MAX = 48 }; /* bytes that a number takes at most, with its final zero */

/*
 * Numbers for people: seconds with three digits (more would pretend precision), exact
 * zero as "0." so that it differs from something small; buf has VALUE_MAX bytes.
 */
const char *value_shown(const struct column *c, const struct cell *v, char *buf);

/* Numbers for programs: seconds and percentages with all digits that they have. */
const char *value_plain(const struct column *c, const struct cell *v, char *buf);

/* A list as one string: joined by ";", which within its strings becomes \x3b. */
void value_write_folded(const char *list, FILE *f);

/*
 * Write text for a terminal: bytes that could move its cursor become \xNN, as do bytes
 * that are not valid UTF-8 or that reverse the order of letters; tabs reach to
 * multiples of 8 from the text's begin. Returns the columns taken; value_width()
 * computes them without writing.
 */
size_t value_write_safe(const char *text, FILE *f);
size_t value_width(const char *text);

/*
 * The same within `room` columns, at least 1. If the text is too long, template
 * arguments and parameters of functions' names are left out first, then its end or, if
 * `middle`, its middle. An ellipsis (with utf8) or "~" marks the place.
 */
size_t value_write_cut(const char *text, size_t room, bool middle, bool utf8, FILE *f);

/* The same, but tabs stay, and line ends if it may have `several` lines. */
void value_write_lines(const char *text, bool several, FILE *f);

/*
 * Write len bytes of s as the inside of a json string, without the quotes. Bytes that
 * are not UTF-8 become U+FFFD, since json has no way to write them.
 */
void value_write_json(const char *s, size_t len, FILE *f);

/* Length of the UTF-8 character at s: 1 to 4, or 0 when it is none. */
unsigned value_utf8(const char *s);

/* The same, but 0 also for characters that a terminal obeys instead of showing. */
unsigned value_harmless(const char *s);

/* The code point of the character of n bytes at s. */
u32 value_code_point(const char *s, unsigned n);

#endif
