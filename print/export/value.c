/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Seconds with `digits` decimals, rounded half away from zero; ns is exact. */
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
    else
        return value_plain(c, v, buf);
    return buf;
}

/* Cut zeros that end the decimals, and the point if nothing is left. */
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
        return 0; /* too long a form, a surrogate, or beyond Unicode */
    return n;
}

/* Bytes at s that may be shown as they are: 0 or a character's length. */
static unsigned
harmless(const char *s)
{
    unsigned char c = (unsigned char)*s, next = c ? (unsigned char)s[1] : 0;

    if (c < 0x20 || c == 0x7f || (c == 0xc2 && next < 0xa0))
        return 0; /* C0 and C1 control characters */
    return value_utf8(s);
}

size_t
value_width(const char *text)
{
    size_t width = 0;

    while (*text) {
        unsigned n = harmless(text);

        if (*text == '\t')
            width = (width | 7) + 1;
        else
            width += n ? 1 : 4;
        text += n ? n : 1;
    }
    return width;
}

size_t
value_write_safe(const char *text, FILE *f)
{
    size_t width = 0;

    while (*text) {
        unsigned n = harmless(text);

        if (*text == '\t')
            fprintf(f, "%*s", (int)(8 - width % 8), "");
        else if (n)
            fwrite(text, 1, n, f);
        else
            fprintf(f, "\\x%02x", (unsigned char)*text);
        width = *text == '\t' ? (width | 7) + 1 : width + (n ? 1 : 4);
        text += n ? n : 1;
    }
    return width;
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
