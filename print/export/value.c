/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/bytes.h"

/*
 * Write seconds with `digits` decimals, rounded half away from zero. Integers are used,
 * so the result is exact.
 */
static void
format_ns(char *buf, int64_t ns, int digits)
{
    u64 v = ns < 0 ? 0 - (u64)ns : (u64)ns, scale = 1000000000;
    u64 drop = 1;

    for (int i = digits; i < 9; i++)
        drop *= 10;
    v = (v + drop / 2) / drop;
    scale /= drop;
    snprintf(buf, VALUE_MAX, "%s%" PRIu64 ".%0*" PRIu64, ns < 0 ? "-" : "", v / scale,
             digits, v % scale);
}

static bool
is_bytes(const struct column *c)
{
    return c->type == COL_COUNT &&
           (c->flags & COL_BYTES || !strncmp(c->unit, "byte", 4));
}

const char *
value_shown(const struct column *c, const struct cell *v, char *buf)
{
    buf[0] = '\0';
    if (v->state == CELL_EMPTY)
        return buf;
    if (c->flags & COL_SPARSE && (c->type == COL_NS || c->type == COL_COUNT) &&
        !v->number)
        return buf;
    if (c->type == COL_NS)
        v->number ? format_ns(buf, (int64_t)v->number, 3) : (void)strcpy(buf, "0.   ");
    else if (c->type == COL_PERCENT)
        v->real == 0 ? (void)strcpy(buf, "0.  ")
                     : (void)snprintf(buf, VALUE_MAX, "%.2f", v->real);
    else if (c->type == COL_REAL)
        snprintf(buf, VALUE_MAX, "%.3f", v->real);
    else if (c->type == COL_BOOL)
        strcpy(buf, v->number ? "yes" : "no");
    else if (!is_bytes(c) || !bytes_shown(v->number, buf))
        return value_plain(c, v, buf);
    return buf;
}

/* Remove zeros at the end of decimals, and the point if no decimals remain. */
static void
trim_zeros(char *buf)
{
    char *end = buf + strlen(buf);

    if (!strchr(buf, '.'))
        return;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
}

const char *
value_plain(const struct column *c, const struct cell *v, char *buf)
{
    buf[0] = '\0';
    if (v->state == CELL_EMPTY)
        return buf;
    switch (c->type) {
    case COL_TEXT:
    case COL_LIST:
        return v->text;
    case COL_BOOL:
        return strcpy(buf, v->number ? "true" : "false");
    case COL_COUNT:
        snprintf(buf, VALUE_MAX, "%" PRIu64, v->number);
        break;
    case COL_ADDRESS:
        snprintf(buf, VALUE_MAX, "0x%" PRIx64, v->number);
        break;
    case COL_NS:
        format_ns(buf, (int64_t)v->number, 9);
        trim_zeros(buf);
        break;
    case COL_PERCENT:
    case COL_REAL:
        snprintf(buf, VALUE_MAX, "%.6f", isfinite(v->real) ? v->real : 0.0);
        trim_zeros(buf);
        break;
    case COL_BAR:
        break;
    }
    return buf;
}

unsigned
value_utf8(const char *s)
{
    const unsigned char *p = (const unsigned char *)s;
    unsigned n = p[0] < 0x80                   ? 1
                 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                 : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                               : 0;

    for (unsigned i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))
        return 0; /* not the shortest form, a surrogate, or beyond Unicode */
    return n;
}

/*
 * Do these bytes begin a control character after which text runs from right to left, or
 * in another order?
 */
static bool
turns(const char *s)
{
    unsigned char c;

    if (s[0] != '\xe2' || !s[1])
        return false;
    c = (unsigned char)s[2];
    return (s[1] == '\x80' && c >= 0xaa && c <= 0xae) ||
           (s[1] == '\x81' && c >= 0xa6 && c <= 0xa9);
}

unsigned
value_harmless(const char *s)
{
    unsigned char c = (unsigned char)*s, next = c ? (unsigned char)s[1] : 0;

    if (c < 0x20 || c == 0x7f || (c == 0xc2 && next < 0xa0) || turns(s))
        return 0; /* C0 and C1 control characters */
    return value_utf8(s);
}

u32
value_code_point(const char *s, unsigned n)
{
    static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    u32 c = (unsigned char)*s & first[n];

    for (unsigned i = 1; i < n; i++)
        c = c << 6 | ((unsigned char)s[i] & 0x3f);
    return c;
}

/* Characters that do not take exactly one column, sorted. */
static const struct {
    u32 first, last, columns;
} odd[] = {
    { 0x0300, 0x036f, 0 }, /* accents that sit on the letter before */
    { 0x0483, 0x0489, 0 },   { 0x0591, 0x05bd, 0 },
    { 0x0610, 0x061a, 0 },   { 0x064b, 0x065f, 0 },
    { 0x1100, 0x115f, 2 }, /* Hangul */
    { 0x1ab0, 0x1aff, 0 },   { 0x1dc0, 0x1dff, 0 },
    { 0x200b, 0x200f, 0 },   { 0x20d0, 0x20ff, 0 },
    { 0x2e80, 0x303e, 2 }, /* Chinese, Japanese, Korean */
    { 0x3041, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
    { 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },
    { 0xfe20, 0xfe2f, 0 },   { 0xfe30, 0xfe6f, 2 },
    { 0xff00, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },
    { 0x1f300, 0x1f64f, 2 }, /* pictures */
    { 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1f9ff, 2 },
    { 0x20000, 0x3fffd, 2 },
};

static size_t
columns_of(u32 c)
{
    if (c < odd[0].first)
        return 1;
    for (u32 i = 0; i < ER_COUNT(odd); i++)
        if (c <= odd[i].last)
            return c < odd[i].first ? 1 : odd[i].columns;
    return 1;
}

/* The next character of a text that begins at some column. */
struct piece {
    unsigned bytes;
    bool harmless;
    size_t columns;
};

static struct piece
piece(const char *text, size_t column)
{
    unsigned n = value_harmless(text);

    if (*text == '\t')
        return (struct piece){ 1, false, 8 - column % 8 };
    if (!n)
        return (struct piece){ 1, false, 4 };
    return (struct piece){ n, true, columns_of(value_code_point(text, n)) };
}

static void
put_piece(const char *text, const struct piece *p, FILE *f)
{
    if (p->harmless)
        fwrite(text, 1, p->bytes, f);
    else if (*text == '\t')
        fprintf(f, "%*s", (int)p->columns, "");
    else
        fprintf(f, "\\x%02x", (unsigned char)*text);
}

size_t
value_width(const char *text)
{
    size_t width = 0;

    while (*text) {
        struct piece p = piece(text, width);

        width += p.columns;
        text += p.bytes;
    }
    return width;
}

/* Write as much as fits into `room` columns; returns how many columns that takes. */
static size_t
write_some(const char *text, size_t room, FILE *f)
{
    size_t width = 0;

    while (*text) {
        struct piece p = piece(text, width);

        if (width + p.columns > room)
            break;
        put_piece(text, &p, f);
        width += p.columns;
        text += p.bytes;
    }
    return width;
}

size_t
value_write_safe(const char *text, FILE *f)
{
    return write_some(text, SIZE_MAX, f);
}

void
value_write_lines(const char *text, bool several, FILE *f)
{
    while (*text) {
        unsigned n = strchr(several ? "\t\n" : "\t", *text) ? 1 : value_harmless(text);

        if (n)
            fwrite(text, 1, n, f);
        else
            fprintf(f, "\\x%02x", (unsigned char)*text);
        text += n ? n : 1;
    }
}

/*
 * The longest end of the text, which takes `width` columns, that fits into `room`
 * columns.
 */
static const char *
end_of(const char *text, size_t width, size_t room)
{
    size_t column = 0;

    while (*text && width - column > room) {
        struct piece p = piece(text, column);

        column += p.columns;
        text += p.bytes;
    }
    return text;
}

/* The bracket that closes the one at `text`; NULL: there is none, as in operator<. */
static const char *
closing(const char *text)
{
    enum { DEEPEST = 64 };
    char open[DEEPEST], end = *text == '<' ? '>' : ')';
    u32 depth = 0;

    for (; *text; text++) {
        if ((*text == '<' || *text == '(') && depth < DEEPEST)
            open[depth++] = *text;
        else if (*text == '>' && text[-1] != '-' && open[depth - 1] == '<')
            depth--;
        else if (*text == ')')
            while (depth && open[--depth] != '(')
                continue;
        if (!depth)
            return *text == end ? text : NULL;
    }
    return NULL;
}

/*
 * Find the longest list of a function's template arguments or parameters: *list is set
 * to what follows its opening bracket. Returns its length without the brackets; 0 =
 * there is none. Lists that were replaced by dots already do not count.
 */
static size_t
longest_list(const char *text, const char *dots, const char **list)
{
    size_t longest = 0;

    for (const char *p = text; *p; p++) {
        const char *end = NULL;
        bool behind = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_' ||
                                   p[-1] == '>' || p[-1] == ')');

        if (behind && (*p == '<' || *p == '('))
            end = closing(p);
        if (!end)
            continue;
        if ((size_t)(end - p) - 1 > longest && strncmp(p + 1, dots, strlen(dots))) {
            *list = p + 1;
            longest = (size_t)(end - p) - 1;
        }
        p = end;
    }
    return longest;
}

/*
 * Replace lists by dots, the longest first, until the text fits, or no list is left
 * that is longer than the dots.
 */
static char *
fold_lists(const char *text, size_t room, const char *dots)
{
    size_t len, n = strlen(dots);
    char *folded = strdup(text);
    const char *list;

    while (folded && value_width(folded) > room &&
           (len = longest_list(folded, dots, &list)) >= n) {
        char *at = folded + (list - folded);

        memcpy(at, dots, n);
        memmove(at + n, at + len, strlen(at + len) + 1);
    }
    return folded;
}

static size_t
write_cut(const char *text, size_t room, size_t tail, const char *dots, FILE *f)
{
    size_t width = value_width(text), used;

    if (width <= room)
        return value_write_safe(text, f);
    used = write_some(text, room - 1 - tail, f) + 1;
    fputs(dots, f);
    return used + write_some(end_of(text, width, tail), tail, f);
}

size_t
value_write_cut(const char *text, size_t room, bool middle, bool utf8, FILE *f)
{
    enum { LONG = 10000 }; /* bytes; lists are not searched for in longer texts */
    const char *dots = utf8 ? "\u2026" : "~";
    char *folded = NULL;
    size_t tail = middle ? (room - 1) / 2 : 0, used;

    if (middle && value_width(text) > room && strnlen(text, LONG) < LONG)
        folded = fold_lists(text, room, dots);
    used = write_cut(folded ? folded : text, room, tail, dots, f);
    free(folded);
    return used;
}

void
value_write_folded(const char *list, FILE *f)
{
    for (; *list; list++) {
        unsigned char c = (unsigned char)*list;

        if (c == '\n')
            putc(';', f);
        else if (c == ';' || c < 0x20 || c == 0x7f)
            fprintf(f, "\\x%02x", c);
        else
            putc(c, f);
    }
}

/* Bytes that are not UTF-8 become U+FFFD, since json has no way to write them. */
void
value_write_json(const char *s, size_t len, FILE *f)
{
    for (const char *end = s + len; s < end;) {
        unsigned char c = (unsigned char)*s;
        unsigned n = value_utf8(s);

        if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", f);
        else if (c == '\t')
            fputs("\\t", f);
        else if (c < 0x20 || c == 0x7f)
            fprintf(f, "\\u%04x", c);
        else if (n && value_harmless(s))
            fwrite(s, 1, n, f);
        else if (n)
            fprintf(f, "\\u%04x", value_code_point(s, n));
        else
            fputs("\\ufffd", f);
        s += n ? n : 1;
    }
}
